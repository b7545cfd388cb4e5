"""The servers of the world: HTTP/1.1 with and without TLS on all its addresses.

Every request is written to requests.log before it is answered: what stands there has arrived.
"""
import base64
import hashlib
import http.server
import mimetypes
import os
import socket
import socketserver
import ssl
import subprocess
import sys
import threading
import urllib.parse

WORLD = sys.argv[1]
WWW = os.path.join(WORLD, 'www')
WEBSOCKET = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
LOG = open(os.path.join(WORLD, 'requests.log'), 'a', buffering=1)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def log_message(self, *words):
        pass

    def body(self):
        """The body of the request, by length or by chunks."""
        if self.headers.get('Transfer-Encoding', '').lower() != 'chunked':
            return self.rfile.read(int(self.headers.get('Content-Length') or 0))
        out = b''
        while True:
            size = int(self.rfile.readline().split(b';')[0], 16)
            if size == 0:
                while self.rfile.readline().strip():
                    pass
                return out
            out += self.rfile.read(size)
            self.rfile.readline()

    def answer(self, status, body, **fields):
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name.replace('_', '-'), value)
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        if self.command != 'HEAD':
            self.wfile.write(body)

    def handle_any(self):
        here = '%s:%d' % self.server.server_address[:2]
        LOG.write('%s %s %s %s\n' % (here, self.command, self.path, self.headers.get('Host')))
        path, _, query = self.path.partition('?')
        special = getattr(self, 'at_' + path.strip('/').replace('-', '_'), None)
        if special:
            special(dict(urllib.parse.parse_qsl(query)))
        elif path.startswith('/git/'):
            self.git(path[4:], query)
        else:
            self.file(path)

    do_GET = do_POST = do_HEAD = do_PUT = do_OPTIONS = do_TRACE = handle_any

    def at_hello(self, query):
        self.answer(200, b'hello from %s\n' % self.headers['Host'].encode())

    def at_fields(self, query):
        self.answer(200, str(self.headers).encode())

    def at_redirect(self, query):
        self.answer(302, b'elsewhere\n', Location=query['to'])

    def at_echo(self, query):
        self.answer(200, self.body())

    def at_count(self, query):
        self.answer(200, b'%d bytes\n' % len(self.body()))

    def at_big(self, query):
        self.answer(200, b'x' * int(query['bytes']))

    def at_endless(self, query):
        """Until the client goes, which is logged too."""
        try:
            self.send_response(200)
            self.end_headers()
            while True:
                self.wfile.write(b'x' * 1024)
        except OSError:
            LOG.write('- GONE /endless -\n')

    def at_chunks(self, query):
        self.send_response(200)
        self.send_header('Transfer-Encoding', 'chunked')
        self.end_headers()
        for word in (b'in ', b'three ', b'chunks\n'):
            self.wfile.write(b'%x\r\n%s\r\n' % (len(word), word))
        self.wfile.write(b'0\r\n\r\n')

    def at_until_close(self, query):
        self.wfile.write(b'HTTP/1.1 200 OK\r\n\r\nuntil the end\n')
        self.close_connection = True

    def at_socket(self, query):
        """A websocket that sends every text back until the client closes."""
        key = (self.headers['Sec-WebSocket-Key'] + WEBSOCKET).encode()
        self.send_response(101)
        self.send_header('Upgrade', 'websocket')
        self.send_header('Connection', 'Upgrade')
        self.send_header('Sec-WebSocket-Accept', base64.b64encode(hashlib.sha1(key).digest()).decode())
        self.end_headers()
        self.close_connection = True
        while True:
            head = self.rfile.read(2)
            if len(head) < 2 or head[0] & 15 == 8:
                return
            mask = self.rfile.read(4)
            text = self.rfile.read(head[1] & 127)
            plain = bytes(b ^ mask[i % 4] for i, b in enumerate(text))
            self.wfile.write(bytes([0x81, len(plain)]) + plain)

    def file(self, path):
        name = os.path.normpath(WWW + urllib.parse.unquote(path))
        for index in ('index.html', 'index.json'):
            if os.path.exists(os.path.join(name, index)):
                name = os.path.join(name, index)
        if not name.startswith(WWW + '/') or not os.path.isfile(name):
            return self.answer(404, b'not here\n')
        with open(name, 'rb') as file:
            kind = mimetypes.guess_type(name)[0] or 'application/octet-stream'
            self.answer(200, file.read(), Content_Type=kind)

    def git(self, path, query):
        """git's smart HTTP through its own CGI program."""
        environment = dict(os.environ, GIT_PROJECT_ROOT=os.path.join(WORLD, 'git'),
                           GIT_HTTP_EXPORT_ALL='1', PATH_INFO=path, QUERY_STRING=query,
                           REQUEST_METHOD=self.command, REMOTE_USER='walker',
                           CONTENT_TYPE=self.headers.get('Content-Type', ''))
        for name, variable in (('Content-Encoding', 'HTTP_CONTENT_ENCODING'),
                               ('Git-Protocol', 'GIT_PROTOCOL')):
            if self.headers.get(name):
                environment[variable] = self.headers[name]
        body = self.body()
        environment['CONTENT_LENGTH'] = str(len(body))
        done = subprocess.run(['git', 'http-backend'], input=body, env=environment,
                              stdout=subprocess.PIPE)
        head, _, out = done.stdout.partition(b'\r\n\r\n')
        fields = {}
        for line in head.decode().split('\r\n'):
            name, _, value = line.partition(': ')
            fields[name.replace('-', '_')] = value
        status = int(fields.pop('Status', '200').split()[0])
        self.answer(status, out, **fields)


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, family, address, port, tls):
        self.address_family = family
        self.tls = tls
        super().__init__((address, port), Handler)

    def server_bind(self):
        # Without the look-up of its own name, which the class makes.
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address[:2]

    def finish_request(self, request, client):
        # In the connection's own thread: a client that does not speak holds up nobody.
        if self.tls:
            request = self.tls.wrap_socket(request, server_side=True)
        super().finish_request(request, client)

    def handle_error(self, request, client):
        pass


def main():
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(os.path.join(WORLD, 'server.pem'), os.path.join(WORLD, 'server.key'))
    v4, v6 = socket.AF_INET, socket.AF_INET6
    places = []
    for address in ('93.184.216.34', '93.184.216.35', '93.184.216.37', '10.1.2.3'):
        places += [(v4, address, 80, None), (v4, address, 443, tls)]
    places += [(v4, '93.184.216.36', 80, None), (v4, '169.254.169.254', 80, None),
               (v4, '93.184.216.34', 8443, tls), (v4, '93.184.216.38', 443, None)]
    places += [(v6, '2606:2800:220:1::34', 80, None), (v6, '2606:2800:220:1::34', 443, tls)]
    places += [(v4, '127.0.0.1', 8080, None)]  # the last, for which the world waits
    for place in places:
        try:
            server = Server(*place)
        except OSError as e:
            print('no server at %s: %s' % (place[1:3], e), file=sys.stderr)
            if place[0] == v4:
                raise
            continue
        threading.Thread(target=server.serve_forever).start()


main()
