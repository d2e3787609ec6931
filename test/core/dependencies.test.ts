/** Shipped dependencies have a permitted licence, and run no scripts when they are installed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import manifest from '../../package.json' with { type: 'json' };
import lock from '../../package-lock.json' with { type: 'json' };
import siteManifest from '../../site/package.json' with { type: 'json' };
import siteLock from '../../site/package-lock.json' with { type: 'json' };

interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly resolved?: string;
  readonly hasInstallScript?: boolean;
}

const packagesIn = ({ packages }: { readonly packages: object }) =>
  Object.entries(packages as Readonly<Record<string, Locked>>).filter(([path]) => path !== '');
const packages = packagesIn(lock);
const shipped = packages.filter(([, { dev }]) => dev !== true);

/** The licences of packages that may be distributed in a bundle under MIT. */
const LICENCES = [
  'MIT',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  // Packages with lists of SPDX names, which are data and not code.
  'CC0-1.0',
  'CC-BY-3.0',
];

test('every shipped package has an allowed licence', () => {
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

test('only known development packages run a script when they are installed', () => {
  const running = packages.filter(([, { hasInstallScript }]) => hasInstallScript === true).map(([path]) => path);
  // `esbuild` downloads its binary. The other two packages, for signing and for access to the key ring, are not used
  // by this project.
  const known = ['@vscode/vsce-sign', 'esbuild', 'keytar'].map((name) => `node_modules/${name}`);
  assert.deepEqual(
    running.filter((path) => !known.includes(path)),
    [],
  );
});

test('every dependency is pinned to one version, and the lock files name no registry', () => {
  const wanted = Object.entries({
    ...{ ...manifest.dependencies, ...manifest.devDependencies },
    ...siteManifest.devDependencies,
  });
  assert.deepEqual(
    wanted.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version)),
    [],
  );
  assert.deepEqual(
    [...packages, ...packagesIn(siteLock)].filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path),
    [],
  );
});
