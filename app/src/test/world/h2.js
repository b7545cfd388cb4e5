// A server of HTTP/2, and of HTTP/1.1 for who does not speak it, on h2.test.
const fs = require('fs');
const world = process.argv[2] + '/';
require('http2').createSecureServer({
  key: fs.readFileSync(world + 'server.key'),
  cert: fs.readFileSync(world + 'server.pem'),
  allowHTTP1: true,
}, (request, response) => {
  response.end('HTTP ' + request.httpVersion + '\n');
}).listen(443, '93.184.216.36');
