"""Sends exactly these bytes and prints all that comes back until the other side ends.

  raw.py HOST:PORT TEXT...    TEXT with escapes as in Python; [] between them waits
"""
import socket
import sys

PATIENCE = 200
address, port = sys.argv[1].rsplit(':', 1)
s = socket.create_connection((address, int(port)), PATIENCE)
for text in sys.argv[2:]:
    if text == '[]':
        sys.stdout.write(s.recv(65536).decode('latin1'))
    else:
        s.sendall(text.encode().decode('unicode_escape').encode('latin1'))
try:
    while True:
        data = s.recv(65536)
        if not data:
            print('[closed]')
            break
        sys.stdout.write(data.decode('latin1'))
except TimeoutError:
    print('[open]')
except ConnectionError:
    print('[reset]')
