/** `skill-composer diff`: what has changed in a skill's contract since a baseline, and whether its version says so. */
import { readFile } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import type { Colors } from 'picocolors/types';
import {
  type Bump,
  bumpFor,
  type ContractChange,
  changesBetween,
  reaches,
  versionAfter,
} from '../../skill/breaking-changes.ts';
import { parseSkill, type SkillDocument } from '../../skill/document.ts';
import { positionAt, rangeOf } from '../../text.ts';
import { dialectOf } from '../../vocabulary/dialect.ts';
import { readBaselineFile, readFromGit } from './baseline.ts';
import type { Console } from './console.ts';
import { uriOf } from './find-files.ts';
import { printable } from './printable.ts';
import { reasonOf, Stop } from './stop.ts';
import type { Format } from './words.ts';

export interface DiffOptions {
  readonly cwd: string;
  readonly file: string;
  readonly base: string | undefined;
  readonly baseFile: string | undefined;
  readonly format: Format;
  /** Nothing is printed where the version says what has changed. */
  readonly quiet: boolean;
}

interface Comparison {
  readonly file: string;
  /** What was compared with: a commit, or a file. */
  readonly base: string;
  readonly document: SkillDocument;
  /** Undefined where the baseline does not have the file. */
  readonly old: SkillDocument | undefined;
  readonly changes: readonly ContractChange[];
  readonly bump: Bump | undefined;
  /** The least version that the changes demand; undefined where they demand none, or nobody can tell. */
  readonly demanded: string | undefined;
  readonly isMet: boolean;
}

/** Prints the changes; returns 1 where the version is not bumped as they demand, else 0. Throws a `Stop` for 2. */
export async function runDiff(options: DiffOptions, console: Console): Promise<number> {
  const comparison = await compare(options);
  if (options.quiet && comparison.isMet) return 0;
  console.print(options.format === 'json' ? toJson(comparison) : toPretty(comparison, console.colors));
  return comparison.isMet ? 0 : 1;
}

async function compare({ cwd, file, base, baseFile }: DiffOptions): Promise<Comparison> {
  if (base !== undefined && baseFile !== undefined) {
    throw new Stop('`--base` and `--base-file` name two baselines: leave one of them out.');
  }
  const path = resolve(cwd, file);
  const dialect = dialectOf(uriOf(path));
  if (dialect !== 'composer' && dialect !== 'contract') {
    throw new Stop(`\`${file}\` has no contract to compare: name a \`.skill.md\` or \`.skill.yaml\` file.`);
  }
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new Stop(`\`${file}\` cannot be read: ${reasonOf(error)}.`);
  });
  const ref = base ?? 'HEAD';
  const before = baseFile === undefined ? await readFromGit(path, ref) : await readBaselineFile(cwd, baseFile);
  const document = parseWhole(file, path, text);
  const shown = baseFile ?? ref;
  const old = before === undefined ? undefined : parseWhole(baseFile ?? `${ref}:${file}`, path, before);
  const changes = old ? changesBetween(old.contract, document.contract) : [];
  const bump = bumpFor(changes);
  const demanded = bump && versionAfter(old?.contract.version?.name, bump);
  // What changes nothing for others may wait for the next version.
  const isMet = !demanded || bump === 'patch' || reaches(document.contract.version?.name, demanded) !== false;
  return {
    file: relative(cwd, path).replaceAll(sep, '/'),
    base: shown,
    document,
    old,
    changes,
    bump,
    demanded,
    isMet,
  };
}

function parseWhole(name: string, path: string, text: string): SkillDocument {
  const document = parseSkill(uriOf(path), text);
  if (!document.frontmatter.tree.broken) return document;
  throw new Stop(
    `\`${name}\` is not valid YAML, so its contract cannot be read: run \`skill-composer check\` and mend it.`,
  );
}

const versionOf = (document: SkillDocument | undefined): string | null => document?.contract.version?.name ?? null;

function toJson({ file, base, document, old, changes, bump, demanded, isMet }: Comparison): string {
  const json = {
    version: 1,
    file,
    base,
    isNew: old === undefined,
    oldVersion: versionOf(old),
    newVersion: versionOf(document),
    bump: bump ?? null,
    demandedVersion: demanded ?? null,
    ok: isMet,
    changes: changes.map(({ bump: own, path, message, span }) => ({
      bump: own,
      path,
      message: sentence(message),
      range: rangeOf(document.lines, span),
    })),
  };
  return `${JSON.stringify(json, undefined, 2)}\n`;
}

const sentence = (message: string): string => `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;

function toPretty({ file, base, document, old, changes, bump, demanded, isMet }: Comparison, colors: Colors): string {
  if (!old) return `\`${printable(file)}\` is not in \`${printable(base)}\`: there is nothing to compare it with.\n`;
  const paint = { major: colors.red, minor: colors.yellow, patch: colors.blue };
  const lines = changes.map(({ bump: own, message, span }) => {
    const { line, character } = positionAt(document.lines, span.start);
    return `${colors.bold(`${printable(file)}:${line + 1}:${character + 1}`)} ${paint[own](own)} ${printable(sentence(message))}`;
  });
  const versions = `${printable(versionOf(old) ?? 'no version')} to ${printable(versionOf(document) ?? 'no version')}`;
  const verdict =
    bump === undefined
      ? `The contract is the same as in \`${printable(base)}\`.`
      : isMet
        ? `From ${versions}: the version says so.`
        : `From ${versions}: the version has to be at least ${demanded}.`;
  return [...lines, ...(lines.length > 0 ? [''] : []), isMet ? verdict : colors.red(verdict), ''].join('\n');
}
