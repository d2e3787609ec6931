/** The invocation that the options of `compose` and `run` define. */
import { invocationContextOf } from '../../../analysis/package-of.ts';
import { whyNotOffered } from '../../../analysis/replaced-by.ts';
import type {
  ComposeError,
  ComposeRequest,
  InvocationContext,
  MemoryItem,
  SkillPackage,
} from '../../../composer/composition.ts';
import { type PrepareOptions, prepareRequest } from '../../../composer/prepare.ts';
import { assertCatalogsParse, openProject, type Project } from '../../../io/project.ts';
import { readText } from '../../../io/read-named.ts';
import { UserError } from '../../../io/user-error.ts';
import type { Json } from '../../../languages/yaml/node.ts';
import { inWords } from '../../../nearest.ts';
import type { NamedText } from '../../../reports/check-report.ts';
import { checkedPackageOf } from '../../../rules/engine/checked-package.ts';
import { chooseSample, knownNames } from '../../../services/composing/compose-samples.ts';
import type { InvocationSource } from '../../../skill/package.ts';
import type { SkillFile } from '../../../skill/skill-file.ts';
import { UNREADABLE } from '../../../workspace/unreadable.ts';
import type { Console } from '../console.ts';

/** The options as they are written on the command line. */
export interface InvocationWords {
  readonly sample?: string;
  readonly params?: string;
  readonly madeUp?: boolean;
  /** The optional parameters to leave out. */
  readonly omit?: readonly string[];
  readonly request?: string;
  readonly source?: InvocationSource;
  readonly channel?: string;
  readonly thread?: string;
  readonly profile?: string;
  readonly surface?: string;
  readonly model?: string;
  readonly memory?: string;
}

export interface InvocationOptions {
  readonly cwd: string;
  readonly file: string;
  readonly config: string | undefined;
  readonly quiet: boolean;
  readonly invocation: InvocationWords;
}

export interface OpenedInvocation {
  readonly project: Project;
  readonly skillFile: SkillFile;
  readonly skillPackage: SkillPackage;
  /** The name of the chosen sample. */
  readonly sample: string | undefined;
  readonly request: ComposeRequest;
}

/**
 * Reads a skill, and makes the request that the options define. Notes the reasons why the planner would not dispatch
 * the skill. `generates` returns whether missing parameters are generated although `--made-up` is not given. Throws a
 * `UserError` if the file is not a skill, or an option is wrong.
 */
export async function openInvocation(
  { cwd, file, config, quiet, invocation }: InvocationOptions,
  { progress, note }: Pick<Console, 'progress' | 'note'>,
  generates: (sample: string | undefined) => boolean = () => false,
): Promise<OpenedInvocation> {
  const given = await readInvocationWords(invocation, cwd);
  const project = await openProject({ cwd, paths: [file], config, progress }).finally(() => progress.end());
  assertCatalogsParse(project);
  useSurface(project, invocation.surface);
  const { analysis } = project.workspace;
  const uri = onlySkill(project, file);
  const reason = analysis.unreadable(uri);
  if (reason) throw new UserError(`\`${file}\` cannot be read: ${UNREADABLE[reason].reason}.`);
  const skillFile = analysis.file(uri);
  if (skillFile?.dialect === 'package') {
    throw new UserError(
      `\`${file}\` is a package of the earlier format. Convert it to a skill first with \`skill-composer convert\`.`,
    );
  }
  const skillPackage = checkedPackageOf(analysis, uri);
  if (!skillFile || !skillPackage)
    throw new UserError(`\`${file}\` is not a skill: its frontmatter must have \`name\` and \`description\`.`);
  const invocationContext = invocationContextOf(analysis, uri);
  assertProfile(invocationContext, given.profile);
  assertOptional(skillPackage, invocation);
  const sample = chooseSample(skillPackage, invocation.sample, invocation.params !== undefined);
  const madeUp = given.madeUp ?? generates(sample);
  const { request, gates } = prepareRequest(skillPackage, invocationContext, sample, { ...given, madeUp });
  const skill = analysis.graph.skills.get(uri);
  const reasons = [(skill && whyNotOffered(analysis.graph, skill)) ?? [], gates.map((gate) => gate.reason)].flat();
  for (const reason of quiet ? [] : reasons) {
    note(`The planner would not dispatch this skill, because ${reason}.`);
  }
  return { project, skillFile, skillPackage, sample, request };
}

function onlySkill({ named, workspace }: Project, file: string): string {
  const [first, ...rest] = [...named].filter((uri) => workspace.index.files.get(uri)?.dialect !== 'catalog');
  if (first === undefined) throw new UserError(`\`${file}\` is a catalog. Name a skill file.`);
  if (rest.length > 0) throw new UserError(`\`${file}\` contains ${rest.length + 1} skills. Name one skill file.`);
  return first;
}

export const lacksParameters = (errors: readonly ComposeError[]): boolean =>
  errors.some(({ kind }) => kind === 'ParameterMismatch');

/** Returns a sentence that suggests options to a user who gave no parameters. */
export function parametersAdvice({ samples }: Pick<SkillPackage, 'samples'>): string {
  const names = [...new Set(samples.map(({ name }) => name))];
  return names.length === 0
    ? 'Use `--made-up` to generate the missing parameters.'
    : `Use \`--sample\` to select one of the skill's samples: ${inWords(names, 'and')}.`;
}

/** Returns the function that finds the text of a file and its name in reports. */
export const fileFinder =
  ({ workspace, fileOf }: Pick<Project, 'workspace' | 'fileOf'>) =>
  (uri: string): NamedText | undefined => {
    const text = workspace.index.files.get(uri)?.text;
    return text === undefined ? undefined : { file: fileOf(uri), text };
  };

/** Parses the options. Files are relative to `cwd`. Throws a `UserError` for an invalid value. */
async function readInvocationWords(words: InvocationWords, cwd: string): Promise<PrepareOptions> {
  const { params, madeUp, omit, memory, request, source, channel, thread, profile, model } = words;
  const given: { -readonly [Key in keyof PrepareOptions]: PrepareOptions[Key] } = {};
  if (params !== undefined) given.parameters = asMap(await readJson(params, '--params', cwd));
  if (madeUp !== undefined) given.madeUp = madeUp;
  if (omit !== undefined) given.omitted = omit;
  if (memory !== undefined) given.memory = asMemory(await readJson(memory, '--memory', cwd));
  if (source !== undefined) given.source = source;
  if (request !== undefined) given.request = request;
  if (channel !== undefined) given.channel = channel;
  if (thread !== undefined) given.thread_id = thread;
  if (profile !== undefined) given.profile = profile;
  if (model !== undefined) given.model = model;
  return given;
}

/** Throws a `UserError` for a parameter that cannot be left out. */
function assertOptional({ inputSchema }: Pick<SkillPackage, 'inputSchema'>, { omit = [] }: InvocationWords): void {
  const fields = inputSchema?.fields ?? [];
  const optional = fields.filter(({ required }) => !required).map(({ name }) => name);
  for (const name of omit) {
    if (optional.includes(name)) continue;
    const isKnown = fields.some((field) => field.name === name);
    const fault = isKnown ? `the parameter \`${name}\` is required` : `unknown parameter \`${name}\``;
    const names =
      optional.length === 0
        ? ' The skill has no optional parameters.'
        : knownNames(name, optional, 'optional parameters');
    throw new UserError(`\`--omit\`: ${fault}.${names}`);
  }
}

/** Throws a `UserError` for an unknown profile, which would otherwise count as a caller that holds all scopes. */
export function assertProfile({ profiles }: Pick<InvocationContext, 'profiles'>, profile: string | undefined): void {
  const names = profiles.map(({ name }) => name);
  if (profile === undefined || names.includes(profile)) return;
  throw new UserError(`\`--profile\`: unknown profile \`${profile}\`.${knownNames(profile, names, 'profiles')}`);
}

/**
 * Resolves names for the surface that `--surface` names. Throws a `UserError` for a surface that none of the catalogs
 * lists, if one of them lists surfaces.
 */
export function useSurface({ workspace, named }: Project, surface: string | undefined): void {
  if (surface === undefined) return;
  const lists = [...new Set([...named].map((uri) => workspace.analysis.parsedCatalogOf(uri).surfaces))];
  const names = lists.flatMap((list) => [...(list?.keys() ?? [])]);
  if (names.length > 0 && !names.includes(surface)) {
    throw new UserError(`\`--surface\`: unknown surface \`${surface}\`.${knownNames(surface, names, 'surfaces')}`);
  }
  workspace.apply({ kind: 'surface', surface });
}

/** Parses an option's value as JSON, or the file that the value names after `@`. */
export async function readJson(word: string, option: string, cwd: string): Promise<Json> {
  const isFile = word.startsWith('@');
  const text = isFile ? await readText(cwd, word.slice(1), `${option} ${word}`) : word;
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as Json;
  } catch (error) {
    const where = isFile ? `The file in \`${option} ${word}\`` : `The value of \`${option}\``;
    throw new UserError(`${where} is not valid JSON: ${error instanceof Error ? error.message : error}.`);
  }
}

function asMap(json: Json): Readonly<Record<string, Json>> {
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json as Readonly<Record<string, Json>>;
  throw new UserError('`--params` must be a JSON object. Write for example `{"tone": "grim"}`.');
}

function asMemory(json: Json): readonly MemoryItem[] {
  const items = Array.isArray(json) ? (json as readonly Partial<MemoryItem>[]) : [];
  const isItem = (item: Partial<MemoryItem> | null): item is MemoryItem =>
    typeof item?.id === 'string' && typeof item.tier === 'string' && typeof item.text === 'string';
  if (Array.isArray(json) && items.every(isItem)) return items.map(({ id, tier, text }) => ({ id, tier, text }));
  throw new UserError('`--memory` must be a JSON list. Write each item as `{"id": "…", "tier": "…", "text": "…"}`.');
}
