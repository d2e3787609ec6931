/** What is shipped may be shipped, and brings nothing to life when it is installed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import manifest from '../../package.json' with { type: 'json' };
import lock from '../../package-lock.json' with { type: 'json' };

interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly resolved?: string;
  readonly hasInstallScript?: boolean;
}

const packages = Object.entries(lock.packages as Readonly<Record<string, Locked>>).filter(([path]) => path !== '');
const shipped = packages.filter(([, { dev }]) => dev !== true);

/** Licences under which a part may be handed on inside a bundle that is under MIT. */
const LICENCES = [
  'MIT',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  // Lists of the SPDX names of licences: data, not code.
  'CC0-1.0',
  'CC-BY-3.0',
];

test('every shipped package is under a licence that allows it', () => {
  const others = shipped.filter(([, { license }]) => !LICENCES.includes(license ?? ''));
  assert.deepEqual(
    others.map(([path, { license }]) => `${path}: ${license}`),
    [],
  );
});

test('no shipped package runs a script when it is installed', () => {
  assert.deepEqual(
    shipped.filter(([, { hasInstallScript }]) => hasInstallScript === true).map(([path]) => path),
    [],
  );
});

test('what development needs runs known scripts only', () => {
  const running = packages.filter(([, { hasInstallScript }]) => hasInstallScript === true).map(([path]) => path);
  // The bundler fetches its program; the other two belong to the packager's signing and its key ring, which nobody calls.
  const known = ['@vscode/vsce-sign', 'esbuild', 'keytar'].map((name) => `node_modules/${name}`);
  assert.deepEqual(
    running.filter((path) => !known.includes(path)),
    [],
  );
});

test('every dependency is pinned to one version, and the lock names no registry', () => {
  const wanted = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
  assert.deepEqual(
    wanted.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version)),
    [],
  );
  assert.deepEqual(
    packages.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path),
    [],
  );
});
