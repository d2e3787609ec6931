/** `npm run lab -- --dialects`: runs libraries that read YAML on many texts, and writes their readings. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LabClient, Package } from '../client.ts';
import { install } from '../install.ts';
import { generate } from './generate.ts';
import {
  isEqual,
  LIBRARIES,
  type Library,
  libraryReading,
  type Printed,
  productReading,
  type TextReading,
} from './readings.ts';
import { TEXTS } from './texts.ts';

/** A text, and its different readings with the libraries that have each of them. */
export interface DialectText {
  /** Undefined for a text of `texts.ts`. */
  readonly text?: string;
  readonly readings: readonly { readonly libraries: readonly Library[]; readonly keys: TextReading }[];
}

/** The committed table, `dialects.json`. */
export interface Dialects {
  /** ISO date. */
  readonly observed: string;
  readonly platform: string;
  readonly libraries: Readonly<Partial<Record<Library, string>>>;
  readonly texts: Readonly<Record<string, DialectText>>;
  /** Random texts: how many were read, and some of those that the libraries read differently. */
  readonly random: { readonly seed: number; readonly count: number; readonly kept: readonly DialectText[] };
  /** The texts that the product reads differently, and the number of random texts. */
  readonly unequal: Readonly<Partial<Record<Library, { readonly texts: readonly string[]; readonly random: number }>>>;
}

const PACKAGES = {
  yaml: { name: 'yaml', version: '2.9.1' },
  'js-yaml-3': { name: 'js-yaml-3@npm:js-yaml', version: '3.14.2' },
  'js-yaml-4-1': { name: 'js-yaml-4-1@npm:js-yaml', version: '4.1.1' },
  'js-yaml-4': { name: 'js-yaml-4@npm:js-yaml', version: '4.3.2' },
  bun: { name: `@oven/bun-${process.platform}-${process.arch}-baseline`, version: '1.4.5' },
} as const satisfies Partial<Record<Library, Package>>;

const SEED = 7;
const COUNT = 4_000;
/** The number of random texts in the table. */
const KEPT = 150;

interface Options {
  readonly root: string;
  /** The folder of installed packages. */
  readonly folder: string;
  readonly today: string;
}

/** Returns the exit status: 1 if the product reads a text of `texts.ts` unlike a library that runs in JavaScript. */
export function runDialects({ root, folder, today }: Options): number {
  const installed = installLibraries(root, folder);
  const random = generate(COUNT, SEED);
  const ids = [...TEXTS.keys()];
  const texts = [...TEXTS.values(), ...random];
  const readings = new Map<Library, readonly TextReading[]>();
  const versions: Partial<Record<Library, string>> = {};
  const unequal: Partial<Record<Library, { texts: readonly string[]; random: number }>> = {};
  for (const library of Object.keys(LIBRARIES) as Library[]) {
    const result = runLibrary(library, installed, texts);
    if (!result) {
      console.log(`  ${library} could not be run`);
      continue;
    }
    const own = result.readings.map(libraryReading);
    readings.set(library, own);
    versions[library] = result.version;
    const different = texts.flatMap((text, at) =>
      isEqual(library, own[at] ?? 'error', productReading(text, library)) ? [] : [at],
    );
    const named = different.flatMap((at) => ids[at] ?? []);
    unequal[library] = { texts: named, random: different.length - named.length };
    console.log(`  ${library} ${result.version}: ${different.length} of ${texts.length} texts are read differently`);
  }
  const textOf = (at: number, text?: string): DialectText => ({
    ...(text !== undefined && { text }),
    readings: grouped(readings, at),
  });
  const kept = random
    .map((text, at) => textOf(ids.length + at, text))
    .filter(({ readings: { length } }) => length > 1)
    .slice(0, KEPT);
  const table: Dialects = {
    observed: today,
    platform: `${process.platform} ${process.arch}, Node.js ${process.versions.node}`,
    libraries: versions,
    texts: Object.fromEntries(ids.map((id, at) => [id, textOf(at)])),
    random: { seed: SEED, count: COUNT, kept },
    unequal,
  };
  writeFileSync(join(root, 'lab', 'dialects', 'dialects.json'), printed(table));
  const inJavaScript: readonly Library[] = ['yaml', 'js-yaml-3', 'js-yaml-4-1', 'js-yaml-4', 'bun'];
  return inJavaScript.some((library) => (unequal[library]?.texts.length ?? 0) > 0) ? 1 : 0;
}

/** Returns the table as JSON with one line for each text. */
function printed({ texts, random, ...table }: Dialects): string {
  const own = JSON.stringify(table, undefined, 2).slice(0, -2);
  const named = Object.entries(texts).map(([id, text]) => `    ${JSON.stringify(id)}: ${JSON.stringify(text)}`);
  const kept = random.kept.map((text) => `      ${JSON.stringify(text)}`);
  const { seed, count } = random;
  const ofRandom = `{\n    "seed": ${seed},\n    "count": ${count},\n    "kept": [\n${kept.join(',\n')}\n    ]\n  }`;
  return `${own},\n  "texts": {\n${named.join(',\n')}\n  },\n  "random": ${ofRandom}\n}\n`;
}

function grouped(readings: ReadonlyMap<Library, readonly TextReading[]>, at: number): DialectText['readings'] {
  const groups = new Map<string, { readonly libraries: Library[]; readonly keys: TextReading }>();
  for (const [library, own] of readings) {
    const keys = own[at] ?? 'error';
    const group = groups.get(JSON.stringify(keys)) ?? { libraries: [], keys };
    group.libraries.push(library);
    groups.set(JSON.stringify(keys), group);
  }
  return [...groups.values()];
}

function installLibraries(root: string, folder: string): string {
  const [first, ...others] = Object.values(PACKAGES);
  const client = { id: 'dialects', package: first, with: others, program: 'dialects.mjs' };
  const installed = install(client as unknown as LabClient, folder, join(root, 'lab', 'programs'));
  copyFileSync(join(root, 'lab', 'programs', 'dialects.py'), join(installed, 'dialects.py'));
  return installed;
}

/** Returns the readings and the version of a library; undefined if it cannot be run here. */
function runLibrary(
  library: Library,
  installed: string,
  texts: readonly string[],
): { readonly version: string; readonly readings: readonly Printed[] } | undefined {
  const isPython = library === 'pyyaml' || library === 'libyaml';
  const bun = join(installed, 'node_modules', PACKAGES.bun.name, 'bin', 'bun');
  const command = isPython ? 'python3' : library === 'bun' ? bun : process.execPath;
  const { status, stdout, stderr } = spawnSync(command, [join(installed, isPython ? 'dialects.py' : 'lab.mjs')], {
    input: JSON.stringify({ library, texts }),
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    env: { ...process.env, TZ: 'UTC' },
  });
  if (status !== 0) {
    console.log(stderr?.trim() ?? '');
    return undefined;
  }
  return JSON.parse(stdout) as { readonly version: string; readonly readings: readonly Printed[] };
}
