/** `skill-composer catalog`: the list of skills from which a planner selects. */
import { relative, resolve, sep } from 'node:path';
import { createTwoFilesPatch } from 'diff';
import { matchSkills } from '../../../analysis/match-skills.ts';
import { invocationContextOf } from '../../../analysis/package-of.ts';
import { assertCatalogsParse, openProject, type Project } from '../../../io/project.ts';
import { findText, writeResult } from '../../../io/read-named.ts';
import { EMPTY_REQUEST, UserError } from '../../../io/user-error.ts';
import { listed } from '../../../nearest.ts';
import { catalogJson, plannerEntry } from '../../../planner/entry.ts';
import { catalogRows, namedSkills, offeredSkills } from '../../../planner/offered.ts';
import { MAX_TOKENS, type PlannerPrompt, plannerDraft } from '../../../planner/prompt.ts';
import { registryRow } from '../../../planner/registry.ts';
import { printedJson } from '../../../reports/json.ts';
import { registryTable } from '../../../reports/tables.ts';
import { createComposing } from '../../../services/composing/composing.ts';
import { startNodeWorker } from '../../../services/composing/node-worker.ts';
import type { SkillFile } from '../../../skill/skill-file.ts';
import { showInvisibleInLines } from '../../../text.ts';
import type { Console } from '../console.ts';
import { assertProfile, useSurface } from './invocation.ts';

export interface PlannerCatalogWords {
  readonly request?: string;
  readonly top?: number;
  readonly maxTokens?: number;
  readonly profile?: string;
  readonly surface?: string;
  readonly out?: string;
  readonly check?: true;
}

export interface PlannerCatalogCommand {
  readonly cwd: string;
  readonly paths: readonly string[];
  readonly config: string | undefined;
  readonly format: 'prompt' | 'json' | 'markdown';
  readonly quiet: boolean;
  readonly words: PlannerCatalogWords;
}

/**
 * Prints the catalog, or writes it to `--out`. Returns 1 if `--check` finds a difference. Throws a `UserError` for
 * status 2.
 */
export async function runCatalog(command: PlannerCatalogCommand, console: Console): Promise<number> {
  const { cwd, words } = command;
  if (words.top !== undefined && words.request === undefined) {
    throw new UserError('`--top` requires a request. Add `--request TEXT`.');
  }
  if (words.request?.trim() === '') throw new UserError(EMPTY_REQUEST);
  if (words.check && words.out === undefined) throw new UserError('`--check` requires a file. Add `--out FILE`.');
  const text = await catalogText(command, console);
  if (words.out === undefined) {
    if (command.format === 'prompt') console.printExact(text);
    else console.print(text);
    return 0;
  }
  const path = resolve(cwd, words.out);
  if (!words.check) {
    await writeResult(path, text, `--out ${words.out}`);
    return 0;
  }
  const before = await findText(path, `--out ${words.out}`);
  if (before === text) return 0;
  const file = relative(cwd, path).replaceAll(sep, '/');
  const [now, made] = [before === undefined ? 'missing' : 'current', 'expected'];
  const patch = createTwoFilesPatch(file, file, before ?? '', text, now, made, { maxEditLength: MAX_EDITS });
  console.print(showInvisibleInLines(patch ?? `\`${file}\` differs too much to show the changes.\n`));
  return 1;
}

async function catalogText(
  { cwd, paths, config, format, quiet, words }: PlannerCatalogCommand,
  console: Console,
): Promise<string> {
  const maxTokens = words.maxTokens ?? MAX_TOKENS;
  const { progress } = console;
  const project = await openProject({ cwd, paths, config, progress }).finally(() => progress.end());
  assertCatalogsParse(project);
  useSurface(project, words.surface);
  const { analysis } = project.workspace;
  assertSomeProfile(project, words.profile);
  if (format === 'markdown') {
    const all = namedSkills(analysis, project.listed);
    return registryTable(all.flatMap(({ uri }) => analysis.file(uri) ?? []).map((file) => registryRow(analysis, file)));
  }
  const uris = candidates(project, words);
  if (format === 'json') {
    const entryOf = (uri: string) => plannerEntry(analysis.file(uri) as SkillFile);
    return printedJson(catalogJson(catalogRows(analysis, uris, entryOf, project.fileOf)));
  }
  const files = uris.flatMap((uri) => analysis.file(uri) ?? []);
  const prompt = await promptOf(files, maxTokens, words.request !== undefined);
  if (!quiet) noteCut(prompt, maxTokens, console);
  return prompt.text;
}

/** The default number of candidates. */
const TOP = 8;

/**
 * Returns the URIs of the skills, sorted by name. For a request, returns only matching skills, with the best match
 * first.
 */
function candidates(
  { workspace: { analysis }, listed }: Project,
  { profile, request, top = TOP }: PlannerCatalogWords,
): readonly string[] {
  const offered = offeredSkills(analysis, listed, profile).map(({ uri }) => uri);
  if (request === undefined) return offered;
  const among = new Set(offered);
  const query = { request, top, source: 'agent-selected', profile, among, isAnywhere: true } as const;
  return matchSkills(analysis, query).matches.map(({ id }) => id);
}

async function promptOf(files: readonly SkillFile[], maxTokens: number, isSelection: boolean): Promise<PlannerPrompt> {
  const draft = plannerDraft(files, plannerEntry, { maxTokens, isSelection });
  const composing = createComposing(startNodeWorker(), COUNT_MS);
  try {
    const counts = await composing.count(draft.texts);
    const prompt = draft.within(maxTokens, counts);
    if (prompt) return prompt;
    throw new UserError(`\`--max-tokens ${maxTokens}\` is too low: the text around the list has ${counts[0]} tokens.`);
  } finally {
    composing.dispose();
  }
}

/** The maximum number of edits in a patch. A comparison with more edits would take too long. */
const MAX_EDITS = 2000;

/** The time limit for counting tokens, in milliseconds. */
const COUNT_MS = 60_000;

function noteCut(
  { cut: { entries, purpose, schemas, examples } }: PlannerPrompt,
  maxTokens: number,
  console: Console,
): void {
  const skills = (count: number): string => `${count} ${count === 1 ? 'skill' : 'skills'}`;
  const lost = [
    ...(examples > 0 ? [`the examples of ${skills(examples)}`] : []),
    ...(schemas > 0 ? [`the schemas of ${skills(schemas)}`] : []),
    ...(purpose > 0 ? [`the purposes of ${skills(purpose)}`] : []),
    ...(entries > 0 ? [`${skills(entries)} completely`] : []),
  ];
  if (lost.length > 0) console.note(`Omitted to stay within ${maxTokens} tokens: ${listed(lost)}.`);
}

/** Throws a `UserError` for an unknown profile, which would otherwise count as a caller that holds all scopes. */
function assertSomeProfile({ workspace: { analysis }, named }: Project, profile: string | undefined): void {
  if (profile === undefined) return;
  const known = [...named].flatMap((uri) => invocationContextOf(analysis, uri).profiles);
  assertProfile({ profiles: [...new Map(known.map((one) => [one.name, one])).values()] }, profile);
}
