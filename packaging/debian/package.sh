# Sourced by scripts/image: makes a package of dpkg's. Uses its functions and its variables.
# shellcheck shell=sh disable=SC2154,SC2034 # those, and made, which it reads

# The newest version of glibc that anything in a directory wants, as its symbols tell.
wanted_libc() {
    grep -rahoE 'GLIBC_2\.[0-9]+' "$1" | sort -u | sed 's/^GLIBC_//' | sort -V | tail -n 1
}

# Everything that is loaded must come from the image or from libc6, the one dependency.
refuse_foreign() {
    find "$1/bin" "$1/lib" -type f | while read -r file; do
        ldd "$file" 2>/dev/null | sed -n 's/^[[:space:]]*\([^ ]*\) =>.*/\1/p'
    done | sort -u | while read -r needed; do
        case $needed in
        libc.so.6 | libm.so.6 | libdl.so.2 | libpthread.so.0 | librt.so.1) continue ;;
        esac
        [ -n "$(find "$1/lib" -name "$needed")" ] || echo "$needed"
    done
}

make_package() {
    root=$work/root
    home=$root/usr/lib/glove
    mkdir -p "$root/usr/lib" "$root/usr/bin" "$root/usr/libexec/glove" "$root/DEBIAN"
    link "$home"
    caches "$home"
    foreign=$(refuse_foreign "$home")
    [ -z "$foreign" ] || die "'$jdk' wants more of a host than libc6: $foreign; take another JDK 25"
    papers "$root/usr" "$home"
    gzip -9n "$root"/usr/share/man/man1/*
    apparmor "$root/etc/apparmor.d"
    licences "$home"
    # The one that AppArmor's profile names, and that Glove prefers.
    mv "$home/lib/glove/launcher" "$root/usr/libexec/glove/launcher"
    ln -s ../../../../libexec/glove/launcher "$home/lib/glove/launcher"
    # Found without following a link: that would cost each start a process.
    mv "$home/bin/glove" "$home/bin/gloved" "$root/usr/bin/"
    starter "$tree/glove" ../lib/glove >"$root/usr/bin/glove"
    starter "$tree/gloved" ../lib/glove >"$root/usr/bin/gloved"

    papers=$root/usr/share/doc/glove
    mkdir -p "$papers" "$root/usr/share/lintian/overrides"
    cp "$tree/packaging/debian/copyright" "$papers/"
    gzip -9nc "$tree/packaging/debian/changelog" >"$papers/changelog.gz"
    cp "$tree/packaging/debian/overrides" "$root/usr/share/lintian/overrides/glove"
    bill "$root" usr/lib/glove "$papers/sbom.cdx.json"

    settle "$root"
    size=$(find "$root" -type f ! -path "$root/DEBIAN/*" -exec cat {} + | wc -c)
    sed "s/@VERSION@/$version/; s/@ARCHITECTURE@/$architecture/; s/@KIB@/$((size / 1024 + 1))/
s/@LIBC@/$(wanted_libc "$home")/" "$tree/packaging/debian/control" >"$root/DEBIAN/control"
    echo /etc/apparmor.d/glove >"$root/DEBIAN/conffiles"
    for script in postinst prerm postrm; do
        cp "$tree/packaging/debian/$script" "$root/DEBIAN/"
        chmod 755 "$root/DEBIAN/$script"
    done
    (cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
    chmod 644 "$root/DEBIAN/md5sums" "$root/DEBIAN/control" "$root/DEBIAN/conffiles"
    touch -d "@$SOURCE_DATE_EPOCH" "$root/DEBIAN"/* "$root/DEBIAN"
    # One thread: with several, the bytes depend on their number.
    made=$work/glove.deb
    logged "dpkg-deb failed" env DPKG_DEB_THREADS_MAX=1 dpkg-deb --root-owner-group \
        -Zxz -z1 --build "$root" "$made"
}
