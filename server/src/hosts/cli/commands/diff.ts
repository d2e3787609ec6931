/** `skill-composer diff`: what has changed in a skill's contract since a baseline, and whether its version says so. */
import { relative, resolve, sep } from 'node:path';
import type { Colors } from 'picocolors/types';
import { isUnclosed } from '../../../languages/yaml/frontmatter.ts';
import { bumpFor, changesBetween, reaches, versionAfter, wentDown } from '../../../skill/changes/breaking-changes.ts';
import type { Bump, ContractChange } from '../../../skill/changes/contract-change.ts';
import { SkillFile } from '../../../skill/skill-file.ts';
import { positionAt, rangeOf, type Span, sliceOf, visible } from '../../../text.ts';
import { dialectOf } from '../../../vocabulary/dialect.ts';
import { toUri } from '../../disk/paths.ts';
import type { Console } from '../console.ts';
import { printedJson } from '../formats/json.ts';
import { readText } from '../read-named.ts';
import { Stop } from '../stop.ts';
import type { Format } from '../words.ts';
import { readFromGit } from './baseline.ts';

export interface DiffOptions {
  readonly cwd: string;
  readonly file: string;
  readonly base: string | undefined;
  readonly baseFile: string | undefined;
  readonly format: Format;
  /** Prints nothing where the version is bumped as the changes demand. */
  readonly quiet: boolean;
}

interface Comparison {
  readonly file: string;
  /** The baseline: a commit, or a file. */
  readonly base: string;
  readonly now: SkillFile;
  /** Undefined where the baseline does not have the file. */
  readonly old: SkillFile | undefined;
  readonly changes: readonly ContractChange[];
  readonly bump: Bump | undefined;
  /** The lowest version that the changes demand; undefined where they demand none, or the old one is no version. */
  readonly demanded: string | undefined;
  readonly isMet: boolean;
  /** What is to be said of the version besides. */
  readonly notes: readonly Note[];
}

interface Note {
  readonly severity: 'error' | 'hint';
  readonly message: string;
  readonly span: Span;
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
  const dialect = dialectOf(toUri(path));
  if (dialect !== 'composer' && dialect !== 'contract') {
    throw new Stop(`\`${file}\` has no contract to compare: name a \`.skill.md\` or \`.skill.yaml\` file.`);
  }
  const text = await readText(cwd, file, file);
  const ref = base ?? 'HEAD';
  const before =
    baseFile === undefined ? await readFromGit(path, ref) : await readText(cwd, baseFile, `--base-file ${baseFile}`);
  const now = parse(file, path, text);
  const old = before === undefined ? undefined : parse(baseFile ?? `${ref}:${file}`, path, before);
  const changes = old ? changesBetween(old.contract, now.contract) : [];
  const bump = bumpFor(changes);
  const demanded = bump && versionAfter(old?.contract.version?.name, bump);
  // A patch may wait for the next version.
  const isReached = !demanded || bump === 'patch' || reaches(now.contract.version?.name, demanded) !== false;
  const notes = old ? notesOn(old, now, demanded, isReached) : [];
  const isMet = isReached && !notes.some(({ severity }) => severity === 'error');
  return {
    file: relative(cwd, path).replaceAll(sep, '/'),
    base: baseFile ?? ref,
    now,
    old,
    changes,
    bump,
    demanded,
    isMet,
    notes,
  };
}

/** A version that went down, and a body that changed while the version stayed. */
function notesOn(old: SkillFile, now: SkillFile, demanded: string | undefined, isReached: boolean): readonly Note[] {
  const [before, after] = [old.contract.version?.name, now.contract.version];
  if (!after) return [];
  const { span } = after;
  if (wentDown(before, after.name)) {
    const message = `The version went down from ${before} to ${after.name}. Make it ${demanded ?? before} or more.`;
    return [{ severity: 'error', message, span }];
  }
  if (!isReached || before !== after.name || bodyOf(old) === bodyOf(now)) return [];
  const message = `The body has changed, and the version is still ${before}. Raise it where the prompt is another one now.`;
  return [{ severity: 'hint', message, span }];
}

/** With the line breaks of one kind. */
const bodyOf = ({ text, body }: SkillFile): string =>
  body ? sliceOf(text, body.span).replaceAll('\r\n', '\n').trimEnd() : '';

function parse(name: string, path: string, text: string): SkillFile {
  const skill = new SkillFile(toUri(path), text);
  if (!skill.frontmatter.tree.broken && !isUnclosed(skill.frontmatter)) return skill;
  throw new Stop(
    `\`${name}\` is not valid YAML, so its contract cannot be read: run \`skill-composer check\` and mend it.`,
  );
}

const versionOf = (skill: SkillFile | undefined): string | null => skill?.contract.version?.name ?? null;

function toJson({ file, base, now, old, changes, bump, demanded, isMet, notes }: Comparison): string {
  const json = {
    version: 1,
    file,
    base,
    isNew: old === undefined,
    oldVersion: versionOf(old),
    newVersion: versionOf(now),
    bump: bump ?? null,
    demandedVersion: demanded ?? null,
    ok: isMet,
    changes: changes.map(({ bump: own, path, message, span }) => ({
      bump: own,
      path,
      message: sentence(message),
      range: rangeOf(now.lines, span),
    })),
    findings: notes.map(({ severity, message, span }) => ({ severity, message, range: rangeOf(now.lines, span) })),
  };
  return printedJson(json);
}

const sentence = (message: string): string => `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;

function toPretty({ file, base, now, old, changes, bump, demanded, isMet, notes }: Comparison, colors: Colors): string {
  if (!old) return `\`${visible(file)}\` is not in \`${visible(base)}\`: there is nothing to compare it with.\n`;
  const paint = { major: colors.red, minor: colors.yellow, patch: colors.blue };
  const line = (span: Span, word: string, message: string): string => {
    const { line, character } = positionAt(now.lines, span.start);
    return `${colors.bold(`${visible(file)}:${line + 1}:${character + 1}`)} ${word} ${visible(message)}`;
  };
  const lines = [
    ...changes.map(({ bump: own, message, span }) => line(span, paint[own](own), sentence(message))),
    ...notes.map(({ severity, message, span }) =>
      line(span, severity === 'error' ? colors.red(severity) : colors.blue(severity), message),
    ),
  ];
  const versions = `${visible(versionOf(old) ?? 'no version')} to ${visible(versionOf(now) ?? 'no version')}`;
  const went = notes.find(({ severity }) => severity === 'error');
  const verdict = went
    ? `From ${versions}: a version never goes down.`
    : bump === undefined
      ? `The contract is the same as in \`${visible(base)}\`.`
      : isMet
        ? `From ${versions}: the version says so.`
        : `From ${versions}: the version has to be at least ${demanded}.`;
  return [...lines, ...(lines.length > 0 ? [''] : []), isMet ? verdict : colors.red(verdict), ''].join('\n');
}
