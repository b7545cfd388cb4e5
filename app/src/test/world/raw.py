"""Sends exactly these bytes and prints all that comes back, until the end or for some seconds.

  raw.py HOST:PORT SECONDS TEXT...    TEXT with escapes as in Python; [] between them waits
"""
import socket
import sys
import time

address, port = sys.argv[1].rsplit(':', 1)
end = time.monotonic() + float(sys.argv[2])
s = socket.create_connection((address, int(port)), 10)
for text in sys.argv[3:]:
    if text == '[]':
        s.settimeout(5)
        sys.stdout.write(s.recv(65536).decode('latin1'))
    else:
        s.sendall(text.encode().decode('unicode_escape').encode('latin1'))
try:
    while True:
        s.settimeout(max(0.01, end - time.monotonic()))
        data = s.recv(65536)
        if not data:
            print('[closed]')
            break
        sys.stdout.write(data.decode('latin1'))
except TimeoutError:
    print('[open]')
except ConnectionError:
    print('[reset]')
