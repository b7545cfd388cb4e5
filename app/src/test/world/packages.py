"""Makes one tiny package of each kind, with the index a registry has for it, as static files."""
import base64
import gzip
import hashlib
import io
import json
import os
import sys
import tarfile
import zipfile

BASE = 'https://registry.test'


def write(path, content):
    path = os.path.join(sys.argv[1], path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'wb') as file:
        file.write(content if isinstance(content, bytes) else content.encode())


def tarball(files):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode='w') as tar:
        for name, text in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(text)
            info.mode = 0o644
            tar.addfile(info, io.BytesIO(text.encode()))
    return gzip.compress(out.getvalue(), mtime=0)


def zipped(files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, 'w') as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return out.getvalue()


def npm():
    manifest = {'name': 'tiny', 'version': '1.0.0', 'main': 'index.js'}
    archive = tarball({'package/package.json': json.dumps(manifest),
                       'package/index.js': 'module.exports = "a tiny package"\n'})
    digest = base64.b64encode(hashlib.sha512(archive).digest()).decode()
    manifest['dist'] = {'tarball': BASE + '/npm/tiny/-/tiny-1.0.0.tgz',
                        'integrity': 'sha512-' + digest}
    write('npm/tiny/-/tiny-1.0.0.tgz', archive)
    write('npm/tiny/index.json', json.dumps({
        'name': 'tiny', 'dist-tags': {'latest': '1.0.0'}, 'versions': {'1.0.0': manifest}}))


def pip():
    info = 'tiny-1.0.dist-info/'
    wheel = zipped({
        'tiny.py': 'words = "a tiny package"\n',
        info + 'METADATA': 'Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n',
        info + 'WHEEL': 'Wheel-Version: 1.0\nGenerator: world\nRoot-Is-Purelib: true\n'
                        'Tag: py3-none-any\n',
        info + 'RECORD': 'tiny.py,,\n%sMETADATA,,\n%sWHEEL,,\n%sRECORD,,\n' % (info, info, info)})
    name = 'tiny-1.0-py3-none-any.whl'
    write('files/' + name, wheel)
    write('simple/tiny/index.html', '<html><body><a href="%s/files/%s#sha256=%s">%s</a></body></html>'
          % (BASE, name, hashlib.sha256(wheel).hexdigest(), name))


def cargo():
    manifest = '[package]\nname = "tiny"\nversion = "1.0.0"\nedition = "2021"\n'
    crate = tarball({'tiny-1.0.0/Cargo.toml': manifest,
                     'tiny-1.0.0/src/lib.rs': 'pub const WORDS: &str = "a tiny package";\n'})
    write('crates/config.json', json.dumps({'dl': BASE + '/crates/dl'}))
    write('crates/dl/tiny/1.0.0/download', crate)
    write('crates/ti/ny/tiny', json.dumps({
        'name': 'tiny', 'vers': '1.0.0', 'deps': [], 'features': {}, 'yanked': False,
        'cksum': hashlib.sha256(crate).hexdigest()}) + '\n')


def go():
    root = 'go/example.test/tiny/@v/'
    module = 'module example.test/tiny\n\ngo 1.18\n'
    write(root + 'list', 'v1.0.0\n')
    write(root + 'v1.0.0.info', json.dumps({'Version': 'v1.0.0', 'Time': '2026-01-01T00:00:00Z'}))
    write(root + 'v1.0.0.mod', module)
    write(root + 'v1.0.0.zip', zipped({
        'example.test/tiny@v1.0.0/go.mod': module,
        'example.test/tiny@v1.0.0/tiny.go':
            'package tiny\n\nfunc Words() string { return "a tiny package" }\n'}))


def maven():
    write('maven/test/tiny-parent/1.0/tiny-parent-1.0.pom',
          '<project><modelVersion>4.0.0</modelVersion><groupId>test</groupId>'
          '<artifactId>tiny-parent</artifactId><version>1.0</version><packaging>pom</packaging>'
          '</project>\n')


npm()
pip()
cargo()
go()
maven()
