/** The extension's package, read like a store: its files, and the data in its `extension.vsixmanifest`. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { XMLParser } from 'fast-xml-parser';
import { strFromU8, unzipSync } from 'fflate';

/** The bytes of the package. */
export const archive = readFileSync(process.env.SKILL_COMPOSER_VSIX ?? '');

const files = unzipSync(archive);
const PREFIX = 'extension/';

/** The paths of the files, relative to the folder of the extension. */
export const paths: readonly string[] = Object.keys(files).flatMap((path) =>
  path.startsWith(PREFIX) ? [path.slice(PREFIX.length)] : [],
);

export function bytes(path: string): Uint8Array {
  const found = files[PREFIX + path];
  assert.ok(found, `${path} is packaged`);
  return found;
}

export const text = (path: string): string => strFromU8(bytes(path));

/** The `package.json` of the package. */
export const manifest = JSON.parse(text('package.json'));

type Attributes = Readonly<Record<string, string>>;

const xml = strFromU8(files['extension.vsixmanifest'] ?? new Uint8Array());
const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '', parseTagValue: false });
const { Metadata: data, Assets: assets } = parser.parse(xml).PackageManifest;

/** Returns a map of the elements, without the start that all their names share. */
const mapOf = (elements: readonly Attributes[], name: string, value: string): ReadonlyMap<string, string> =>
  new Map(elements.map((one) => [(one[name] ?? '').replace('Microsoft.VisualStudio.', ''), one[value] ?? '']));

const withoutPrefix = (path: string): string => path.slice(PREFIX.length);

/** The data that a store shows and searches. */
export const listed = {
  identity: data.Identity as Attributes,
  displayName: data.DisplayName as string,
  description: data.Description['#text'] as string,
  tags: (data.Tags as string).split(','),
  categories: (data.Categories as string).split(','),
  properties: mapOf(data.Properties.Property, 'Id', 'Value'),
  license: withoutPrefix(data.License),
  icon: withoutPrefix(data.Icon),
  assets: new Map([...mapOf(assets.Asset, 'Type', 'Path')].map(([type, path]) => [type, withoutPrefix(path)])),
};
