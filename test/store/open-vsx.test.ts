/**
 * The checks of Open VSX, whose server makes them when a package is published: `ExtensionValidator`,
 * `PublishExtensionVersionHandler`, `PublishingConfig` and `ExtensionProcessor` in eclipse-openvsx/openvsx, read on
 * 2026-11-29. Its tool `ovsx` 1.4.0 checks only that names and a version exist, and uploads the package.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { archive, bytes, listed, manifest, paths } from './vsix.ts';

const { identity, displayName, description, tags, categories, properties } = listed;

/** The length of a field in the database. */
const FIELD = 255;
const DESCRIPTION = 2048;
const COLOR = 16;

const NAME = /^[\w\-+$~]+$/;
/** Control and format characters, unassigned characters, private use, and separators of lines and paragraphs. */
const REFUSED = /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Zl}\p{Zp}]/u;

test('the names of the publisher and the extension are valid', () => {
  for (const name of [identity.Publisher ?? '', identity.Id ?? '']) {
    assert.match(name, NAME);
    assert.ok(name.length <= FIELD && name !== '-', name);
  }
});

test('the version is a semantic version and not a reserved word', () => {
  assert.match(identity.Version ?? '', /^\d+\.\d+\.\d+$/);
});

test('every field has allowed characters and at most its length', () => {
  const fields: readonly (readonly [string, number])[] = [
    [displayName, FIELD],
    [description, DESCRIPTION],
    ...[...categories, ...tags, manifest.license].map((one) => [one, FIELD] as const),
    [properties.get('Services.Branding.Color') ?? '', COLOR],
  ];
  for (const [value, most] of fields) {
    assert.ok(value.length > 0 && value.length <= most, value);
    assert.doesNotMatch(value, REFUSED);
  }
});

test('every link is an absolute address', () => {
  const names = ['Source', 'Support', 'Learn'].map((name) => `Services.Links.${name}`);
  for (const value of [...names.map((name) => properties.get(name) ?? ''), manifest.qna]) {
    assert.match(value, /^https:\/\/[^/]+/);
    assert.ok(URL.canParse(value) && value.length <= FIELD, value);
  }
});

test('the values of the page are allowed', () => {
  assert.ok(['dark', 'light'].includes(properties.get('Services.Branding.Theme') ?? ''));
  assert.ok([undefined, 'github', 'standard'].includes(manifest.markdown));
});

test('the manifest has the same names and version as the package', () => {
  const ofManifest = [manifest.publisher, manifest.name, manifest.version, manifest.displayName];
  assert.deepEqual([identity.Publisher, identity.Id, identity.Version, displayName], ofManifest);
});

test('the package has a licence, and an icon that is not an SVG', () => {
  assert.equal(manifest.license, 'MIT');
  assert.ok(bytes(listed.license).length > 0);
  assert.match(listed.icon, /\.png$/);
});

test('entries have plain paths and no extra fields, which the server reports as potentially malicious', () => {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const CENTRAL = 0x02014b50;
  let entries = 0;
  // The last 22 bytes are the end record, whose bytes 16 to 19 are the offset of the central directory.
  for (let at = view.getUint32(archive.length - 6, true); view.getUint32(at, true) === CENTRAL; entries++) {
    assert.equal(view.getUint16(at + 30, true), 0, 'an extra field');
    at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 32, true);
  }
  assert.ok(entries > paths.length, `${entries} entries`);
  for (const path of paths) assert.doesNotMatch(path, /(^|\/)\.\.(\/|$)|^\/|\\/);
});
