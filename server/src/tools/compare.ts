/** Compares two snapshots, to find out what the changes break (docs/tools.md, "What breaks"). */
import { canonical, isList, isObject, own } from '../languages/schema/model.ts';
import type { Json } from '../languages/yaml/node.ts';
import { inWords, listed, nearestNames } from '../nearest.ts';
import type { Snapshot, SnapshotTool } from '../workspace/tool-snapshot.ts';

export type ToolChange = { readonly tool: string; readonly server: string | undefined } & (
  | { readonly kind: 'gone'; readonly renamedTo: string | undefined }
  | { readonly kind: 'required'; readonly inputs: readonly string[] }
  | { readonly kind: 'input-gone'; readonly inputs: readonly string[] }
  | { readonly kind: 'writes' | 'described' | 'added' }
);

/** Returns the changes: removed tools, changes to inputs and descriptions, then new tools. */
export function compareSnapshots(before: Snapshot | undefined, after: Snapshot): readonly ToolChange[] {
  const old = byKey(before);
  const now = byKey(after);
  const added = [...now.values()].filter((tool) => !old.has(keyOf(tool)));
  const matched = new Set<SnapshotTool>();
  const gone = [...old.values()].filter((tool) => !now.has(keyOf(tool)));
  return [
    ...gone.map((tool): ToolChange => {
      const renamed = findRenamed(tool, added, matched);
      if (renamed) matched.add(renamed);
      return { kind: 'gone', ...nameOf(tool), renamedTo: renamed?.name };
    }),
    ...[...old].flatMap(([key, tool]) => {
      const next = now.get(key);
      return next ? changesOf(tool, next) : [];
    }),
    ...added.filter((tool) => !matched.has(tool)).map((tool): ToolChange => ({ kind: 'added', ...nameOf(tool) })),
  ];
}

const keyOf = ({ name, server, from }: SnapshotTool): string => JSON.stringify([server ?? from ?? null, name]);

const byKey = (snapshot: Snapshot | undefined): ReadonlyMap<string, SnapshotTool> =>
  new Map((snapshot?.tools ?? []).map((tool) => [keyOf(tool), tool]));

const nameOf = ({ name, server, from }: SnapshotTool) => ({ tool: name, server: server ?? from });

function changesOf(old: SnapshotTool, now: SnapshotTool): readonly ToolChange[] {
  const named = nameOf(now);
  const [before, after] = [inputsOf(old), inputsOf(now)];
  const required = [...after.required].filter((input) => !before.required.has(input));
  const lost = [...before.names].filter((input) => !after.names.has(input));
  return [
    ...(required.length > 0 ? [{ kind: 'required', ...named, inputs: required } as const] : []),
    ...(lost.length > 0 && !after.allowsOthers ? [{ kind: 'input-gone', ...named, inputs: lost } as const] : []),
    ...(old.operation === 'READ' && now.operation === 'WRITE' ? [{ kind: 'writes', ...named } as const] : []),
    ...(old.description === now.description ? [] : [{ kind: 'described', ...named } as const]),
  ];
}

interface Inputs {
  readonly names: ReadonlySet<string>;
  readonly required: ReadonlySet<string>;
  readonly allowsOthers: boolean;
}

function inputsOf({ inputSchema }: SnapshotTool): Inputs {
  const schema = isObject(inputSchema) ? inputSchema : {};
  const properties = own(schema, 'properties');
  const required = own(schema, 'required');
  return {
    names: new Set(isObject(properties) ? Object.keys(properties) : []),
    required: new Set(isList(required) ? required.filter((name): name is string => typeof name === 'string') : []),
    allowsOthers: isObject(own(schema, 'additionalProperties')) || own(schema, 'additionalProperties') === true,
  };
}

/**
 * Returns the new name of a removed tool, which is a tool of the same server with the same description or the same
 * inputs.
 */
function findRenamed(
  gone: SnapshotTool,
  added: readonly SnapshotTool[],
  matched: ReadonlySet<SnapshotTool>,
): SnapshotTool | undefined {
  const free = added.filter((tool) => tool.server === gone.server && tool.from === gone.from && !matched.has(tool));
  const same = (a: Json | undefined, b: Json | undefined): boolean =>
    a !== undefined && b !== undefined && canonical(a) === canonical(b);
  const described = free.filter(({ description }) => (description ?? '') !== '' && description === gone.description);
  if (described.length === 1) return described[0];
  const sameInputs = free.filter((tool) => inputsOf(tool).names.size > 0 && same(tool.inputSchema, gone.inputSchema));
  if (sameInputs.length === 1) return sameInputs[0];
  const [nearest] = nearestNames(
    gone.name,
    (sameInputs.length > 0 ? sameInputs : free).map(({ name }) => name),
    1,
  );
  return free.find(({ name }) => name === nearest);
}

// Sentences about changes to tools.

/** The maximum number of skills that a sentence names. */
const MAX_NAMED = 10;

/**
 * Returns a sentence about a change and the skills that use the tool. `skills` contains the name and the file path of
 * each skill.
 */
export function describeChange(
  change: ToolChange,
  skills: readonly { readonly name: string; readonly file: string }[],
): string {
  const tool = change.server === undefined ? `\`${change.tool}\`` : `\`${change.tool}\` of \`${change.server}\``;
  return `${sentence(change, tool)}${users(skills)}`;
}

function sentence(change: ToolChange, tool: string): string {
  switch (change.kind) {
    case 'gone':
      return change.renamedTo === undefined
        ? `${tool} was removed.`
        : `${tool} was removed. It may have been renamed to \`${change.renamedTo}\`.`;
    case 'required':
      return `${tool} now requires ${inWords(change.inputs, 'and')}. Calls that omit ${pronoun(change.inputs)} fail.`;
    case 'input-gone':
      return `${tool} no longer has ${inWords(change.inputs, 'and')}.`;
    case 'writes':
      return `${tool} now writes. Before, it only read.`;
    case 'described':
      return `The description of ${tool} has changed. Review it, because models rely on it.`;
    case 'added':
      return `${tool} is new.`;
  }
}

const pronoun = (inputs: readonly string[]): string => (inputs.length === 1 ? 'it' : 'them');

function users(skills: readonly { readonly name: string; readonly file: string }[]): string {
  if (skills.length === 0) return '';
  const named = skills.slice(0, MAX_NAMED).map(({ name, file }) => `\`${name}\` (${file})`);
  const more = skills.length > MAX_NAMED ? [`${skills.length - MAX_NAMED} more`] : [];
  return ` Used by ${listed([...named, ...more])}.`;
}
