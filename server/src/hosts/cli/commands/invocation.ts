/** The options of `compose` that define an invocation. */
import type { InvocationContext, MemoryItem } from '../../../composer/composition.ts';
import type { PrepareOptions } from '../../../composer/prepare.ts';
import type { Json } from '../../../languages/yaml/node.ts';
import type { InvocationSource } from '../../../skill/package.ts';
import { knownNames } from '../../composing/compose-samples.ts';
import type { Project } from '../../node/project.ts';
import { readText } from '../../node/read-named.ts';
import { UserError } from '../../user-error.ts';

/** The options as they are written on the command line. */
export interface InvocationWords {
  readonly sample?: string;
  readonly params?: string;
  readonly madeUp?: boolean;
  readonly request?: string;
  readonly source?: InvocationSource;
  readonly channel?: string;
  readonly thread?: string;
  readonly profile?: string;
  readonly surface?: string;
  readonly model?: string;
  readonly memory?: string;
}

/** Parses the options. Files are relative to `cwd`. Throws a `UserError` for an invalid value. */
export async function readInvocationWords(words: InvocationWords, cwd: string): Promise<PrepareOptions> {
  const { params, madeUp, memory, request, source, channel, thread, profile, model } = words;
  const given: { -readonly [Key in keyof PrepareOptions]: PrepareOptions[Key] } = {};
  if (params !== undefined) given.parameters = asMap(await readJson(params, '--params', cwd));
  if (madeUp !== undefined) given.madeUp = madeUp;
  if (memory !== undefined) given.memory = asMemory(await readJson(memory, '--memory', cwd));
  if (source !== undefined) given.source = source;
  if (request !== undefined) given.request = request;
  if (channel !== undefined) given.channel = channel;
  if (thread !== undefined) given.thread_id = thread;
  if (profile !== undefined) given.profile = profile;
  if (model !== undefined) given.model = model;
  return given;
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
async function readJson(word: string, option: string, cwd: string): Promise<Json> {
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
