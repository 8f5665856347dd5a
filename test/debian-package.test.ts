import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { arch, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inCopyOfSystem, noCopyOfSystem } from './support/packaging/copy-of-system.ts';
import { documentedCommand } from './support/packaging/documented.ts';

// The Debian package: installed, started, upgraded, removed and purged in a copy of this system.

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'weir-deb-'));
after(() => rmSync(folder, { recursive: true }));
const skip = noCopyOfSystem('dpkg-deb', 'systemd-analyze', 'dig');
const unit = `${root}deploy/systemd/weir.service`;

const MAX_EXPOSURE = 3;
const install = documentedCommand('docs/install.md', 'Debian and Ubuntu', 'apt install');
const first = install.replace('apt install ', '');

before(() => {
  if (skip) return;
  const words = ['deb', '--arch', arch(), '--fast', '--out', join(folder, 'release')];
  execFileSync(process.execPath, [`${root}scripts/release.ts`, ...words], { stdio: 'ignore' });
  // The next version: the same files under another version number.
  execFileSync('dpkg-deb', ['-R', join(folder, first), join(folder, 'next')]);
  const control = join(folder, 'next/DEBIAN/control');
  writeFileSync(control, readFileSync(control, 'utf8').replace(/^Version: .*$/m, 'Version: 99.0.0'));
  execFileSync('dpkg-deb', ['--root-owner-group', '-Znone', '-b', 'next', 'next.deb'], {
    cwd: folder,
    stdio: 'ignore',
  });
  rmSync(join(folder, 'next'), { recursive: true });
});

/** apt as an operator uses it, without questions, and without the package lists of the system, which take seconds to read. */
const withApt = `cat >/etc/apt/apt.conf.d/zz-test <<'END'
APT::Get::Assume-Yes "true";
Dir::Etc::SourceList "/dev/null";
Dir::Etc::SourceParts "/dev/null";
Dir::State::Lists "/tmp/lists";
Dir::Cache "/tmp/cache";
END
apt() { command apt "$@" >/tmp/apt 2>&1 || { cat /tmp/apt; exit 1; }; }
mkdir -p /tmp/lists/partial /tmp/cache/archives/partial
cd /packages
`;

/** The command of the unit as its user, with the capability that the unit gives; waits until it listens. */
const startService = `
command=$(sed -n 's/^ExecStart=//p' /lib/systemd/system/weir.service)
setpriv --reuid weir --regid weir --init-groups --no-new-privs --bounding-set -all,+net_bind_service \\
  --inh-caps -all,+net_bind_service --ambient-caps -all,+net_bind_service $command >/tmp/log 2>&1 &
pid=$!
>>/tmp/log
logged() {
  for i in $(seq 600); do
    if grep -q "$1" /tmp/log; then return; fi
    kill -0 $pid || break
    sleep 0.1
  done
  cat /tmp/log
  exit 1
}
logged ' listening '
dig +time=5 @127.0.0.1 localhost | grep -o 'status: [A-Z]*' || cat /tmp/log
`;

test('the package is installed, runs as its user on the real ports, and is upgraded, removed and purged', {
  skip,
}, () => {
  const output = inCopyOfSystem(
    folder,
    `
${withApt}
${install}
stat -c '%n %U %G %a' /var/lib/weir /etc/weir/weir.yaml
systemd-analyze verify /lib/systemd/system/weir.service
weir --version >/dev/null
${startService}
grep -o 'listening .*' /tmp/log | grep -o '"port":[0-9]*' | tr '\\n' ' '
echo
stat -c '%n %U %a' /var/lib/weir/settings.sqlite
[ "$(stat -c %U /proc/$pid)" = weir ] && echo runs as weir
kill -HUP $pid
logged 'settings reloaded'
kill $pid; wait $pid; echo stopped $?
echo '# changed by the operator' >>/etc/weir/weir.yaml
dpkg -i --force-confold /packages/next.deb >/dev/null
dpkg-query -W -f '\${Version} \${Status}\\n' weir
tail -1 /etc/weir/weir.yaml
ls /var/lib/weir/settings.sqlite
apt remove weir
ls -d /usr/lib/weir 2>/dev/null || echo program removed
ls /etc/weir/weir.yaml /var/lib/weir/settings.sqlite
apt purge weir
ls -d /etc/weir /var/lib/weir 2>/dev/null || echo data purged
getent passwd weir || echo user deleted
`,
  );
  assert.deepEqual(output.trim().split('\n'), [
    '/var/lib/weir weir weir 700',
    '/etc/weir/weir.yaml root weir 640',
    // No account exists yet, so every client is unknown.
    'status: REFUSED',
    '"port":53 "port":853 "port":443 ',
    '/var/lib/weir/settings.sqlite weir 600',
    'runs as weir',
    'stopped 0',
    '99.0.0 install ok installed',
    '# changed by the operator',
    '/var/lib/weir/settings.sqlite',
    'program removed',
    '/etc/weir/weir.yaml',
    '/var/lib/weir/settings.sqlite',
    'data purged',
    'user deleted',
  ]);
  assert.ok(!existsSync('/usr/lib/weir'), 'the package was installed on this machine');
});

test('the unit is hardened: systemd rates its exposure below 3', { skip }, () => {
  const rating = execFileSync('systemd-analyze', ['security', '--offline=true', '--no-pager', unit], {
    encoding: 'utf8',
  });
  const [, exposure = ''] = /Overall exposure level for weir\.service: ([\d.]+)/.exec(rating) ?? [];
  assert.ok(Number(exposure) <= MAX_EXPOSURE, rating);
});

test('systemd-resolved leaves port 53 only if the operator asks for it', { skip }, () => {
  const output = inCopyOfSystem(
    folder,
    `
dpkg -i /packages/${first} >/dev/null
ls /etc/systemd/resolved.conf.d/weir.conf 2>/dev/null || echo not asked
weir-free-port-53; cat /etc/systemd/resolved.conf.d/weir.conf
weir-free-port-53 --undo; ls /etc/systemd/resolved.conf.d/weir.conf 2>/dev/null || echo undone
weir-free-port-53; dpkg -P weir >/dev/null
ls /etc/systemd/resolved.conf.d/weir.conf 2>/dev/null || echo purged
`,
  );
  assert.equal(output, 'not asked\n[Resolve]\nDNSStubListener=no\nundone\npurged\n');
});
