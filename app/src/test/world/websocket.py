"""Sends one text over a websocket and prints what comes back.

  websocket.py PROXYHOST:PORT HOST connect|absolute    PROXYHOST - for none
"""
import base64
import os
import socket
import sys

proxy, host, way = sys.argv[1:4]
place = host + ':80' if proxy == '-' else proxy
address, port = place.rsplit(':', 1)
s = socket.create_connection((address, int(port)), 200)
reader = s.makefile('rb')


def head():
    lines = []
    while True:
        line = reader.readline().strip()
        if not line:
            return lines
        lines.append(line.decode())


target = '/socket'
if proxy != '-' and way == 'connect':
    s.sendall(('CONNECT %s:80 HTTP/1.1\r\nHost: %s:80\r\n\r\n' % (host, host)).encode())
    print(head()[0].split()[1])
elif proxy != '-':
    target = 'http://' + host + target
key = base64.b64encode(os.urandom(16)).decode()
s.sendall(('GET %s HTTP/1.1\r\nHost: %s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n'
           'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %s\r\n\r\n' % (target, host, key)).encode())
print(head()[0].split()[1])
text = b'through a websocket'
mask = os.urandom(4)
s.sendall(bytes([0x81, 0x80 | len(text)]) + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(text)))
length = reader.read(2)[1]
print(reader.read(length).decode())
