/** `skill-composer diff`: the changes to a skill's contract since a baseline, and whether its version matches them. */
import { relative, resolve, sep } from 'node:path';
import type { Colors } from 'picocolors/types';
import {
  asSentence,
  type Comparison as Compared,
  compareContracts,
  versionOf,
  viewOfComparison,
} from '../../../authoring/compare-contracts.ts';
import { readFromGit } from '../../../io/git.ts';
import { toUri } from '../../../io/paths.ts';
import { readText } from '../../../io/read-named.ts';
import { UserError } from '../../../io/user-error.ts';
import { isUnclosed } from '../../../languages/yaml/frontmatter.ts';
import { printedJson } from '../../../reports/json.ts';
import { SkillFile } from '../../../skill/skill-file.ts';
import { positionAt, type Span, showFields, showInvisible } from '../../../text.ts';
import { dialectOf } from '../../../vocabulary/dialect.ts';
import type { Console } from '../console.ts';

export interface DiffOptions {
  readonly cwd: string;
  readonly file: string;
  readonly base: string | undefined;
  readonly baseFile: string | undefined;
  readonly format: 'pretty' | 'json';
  /** Prints nothing if the version matches the changes. */
  readonly quiet: boolean;
}

interface Comparison extends Compared {
  readonly file: string;
  /** The baseline: a commit, or a file. */
  readonly base: string;
  readonly now: SkillFile;
  /** Undefined if the baseline does not have the file. */
  readonly old: SkillFile | undefined;
}

/**
 * Prints the changes. Returns 1 if the version does not match the changes, else 0. Throws a `UserError` for status 2.
 */
export async function runDiff(options: DiffOptions, console: Console): Promise<number> {
  const comparison = await compare(options);
  if (options.quiet && comparison.isMet) return 0;
  console.print(options.format === 'json' ? toJson(comparison) : toPretty(comparison, console.colors));
  return comparison.isMet ? 0 : 1;
}

async function compare({ cwd, file, base, baseFile }: DiffOptions): Promise<Comparison> {
  if (base !== undefined && baseFile !== undefined) {
    throw new UserError('`--base` cannot be used with `--base-file`. Remove one of them.');
  }
  const path = resolve(cwd, file);
  const dialect = dialectOf(toUri(path));
  if (dialect !== 'composer' && dialect !== 'contract') {
    throw new UserError(`\`${file}\` has no contract to compare. Specify a \`.skill.md\` or \`.skill.yaml\` file.`);
  }
  const text = await readText(cwd, file, file);
  const ref = base ?? 'HEAD';
  const before =
    baseFile === undefined ? await readFromGit(path, ref) : await readText(cwd, baseFile, `--base-file ${baseFile}`);
  const now = parse(file, path, text);
  const old = before === undefined ? undefined : parse(baseFile ?? `${ref}:${file}`, path, before);
  return {
    ...compareContracts(old, now),
    file: relative(cwd, path).replaceAll(sep, '/'),
    base: baseFile ?? ref,
    now,
    old,
  };
}

function parse(name: string, path: string, text: string): SkillFile {
  const skill = new SkillFile(toUri(path), text);
  if (!skill.frontmatter.tree.broken && !isUnclosed(skill.frontmatter)) return skill;
  throw new UserError(
    `\`${name}\` is not valid YAML, so it cannot be compared. Run \`skill-composer check\` to find the error.`,
  );
}

function toJson(comparison: Comparison): string {
  const { file, base, now, old } = comparison;
  return printedJson({ version: 1, file, base, isNew: old === undefined, ...viewOfComparison(comparison, old, now) });
}

function toPretty(comparison: Comparison, colors: Colors): string {
  const { now, old, bump, demanded, isMet } = comparison;
  const { file, base, changes, notes } = showFields({
    ...{ file: comparison.file, base: comparison.base },
    changes: comparison.changes.map(({ bump, message, span }) => ({ bump, message: asSentence(message), span })),
    notes: comparison.notes.map(({ severity, message, span }) => ({ severity, message, span })),
  });
  if (!old) return `\`${file}\` is new: \`${base}\` does not contain it.\n`;
  const paint = { major: colors.red, minor: colors.yellow, patch: colors.blue };
  const line = (span: Span, word: string, message: string): string => {
    const { line, character } = positionAt(now.lines, span.start);
    return `${colors.bold(`${file}:${line + 1}:${character + 1}`)} ${word} ${message}`;
  };
  const lines = [
    ...changes.map(({ bump: own, message, span }) => line(span, paint[own](own), message)),
    ...notes.map(({ severity, message, span }) =>
      line(span, severity === 'error' ? colors.red(severity) : colors.blue(severity), message),
    ),
  ];
  const versions = `${showInvisible(versionOf(old) ?? 'no version')} to ${showInvisible(versionOf(now) ?? 'no version')}`;
  const went = notes.find(({ severity }) => severity === 'error');
  const verdict = went
    ? `The version decreases from ${versions}.`
    : bump === undefined
      ? `The contract is the same as in \`${base}\`.`
      : isMet
        ? `From ${versions}: ${demanded === undefined ? 'no new version is required' : 'the version matches the changes'}.`
        : `From ${versions}: the version must be at least ${demanded}.`;
  return [...lines, ...(lines.length > 0 ? [''] : []), isMet ? verdict : colors.red(verdict), ''].join('\n');
}
