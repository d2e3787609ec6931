/** What has changed between two snapshots, told by what it breaks (docs/tools.md, "What breaks"). */
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

/** By tool: what is gone, then what calls fail of, then what reads differently, then what is new. */
export function compareSnapshots(before: Snapshot | undefined, after: Snapshot): readonly ToolChange[] {
  const old = byKey(before);
  const now = byKey(after);
  const added = [...now.values()].filter((tool) => !old.has(keyOf(tool)));
  const taken = new Set<SnapshotTool>();
  const gone = [...old.values()].filter((tool) => !now.has(keyOf(tool)));
  return [
    ...gone.map((tool): ToolChange => {
      const renamed = findRenamed(tool, added, taken);
      if (renamed) taken.add(renamed);
      return { kind: 'gone', ...nameOf(tool), renamedTo: renamed?.name };
    }),
    ...[...old].flatMap(([key, tool]) => {
      const next = now.get(key);
      return next ? changesOf(tool, next) : [];
    }),
    ...added.filter((tool) => !taken.has(tool)).map((tool): ToolChange => ({ kind: 'added', ...nameOf(tool) })),
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

/** The tool that a missing one is called now: on the same server, with the same words or the same inputs. */
function findRenamed(
  gone: SnapshotTool,
  added: readonly SnapshotTool[],
  taken: ReadonlySet<SnapshotTool>,
): SnapshotTool | undefined {
  const free = added.filter((tool) => tool.server === gone.server && tool.from === gone.from && !taken.has(tool));
  const same = (a: Json | undefined, b: Json | undefined): boolean =>
    a !== undefined && b !== undefined && canonical(a) === canonical(b);
  const described = free.filter(({ description }) => (description ?? '') !== '' && description === gone.description);
  if (described.length === 1) return described[0];
  const alike = free.filter((tool) => inputsOf(tool).names.size > 0 && same(tool.inputSchema, gone.inputSchema));
  if (alike.length === 1) return alike[0];
  const [nearest] = nearestNames(
    gone.name,
    (alike.length > 0 ? alike : free).map(({ name }) => name),
    1,
  );
  return free.find(({ name }) => name === nearest);
}

// A change of a tool in words.

/** How many skills are named. */
const MAX_NAMED = 10;

/** A sentence, and who is concerned; `skills` are names with the places of their files. */
export function tellChange(
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
        ? `${tool} is gone.`
        : `${tool} is gone; \`${change.renamedTo}\` seems to be its new name.`;
    case 'required':
      return `${tool} requires ${inWords(change.inputs, 'and')} now: calls without fail.`;
    case 'input-gone':
      return `${tool} has no ${inWords(change.inputs, 'and')} any more.`;
    case 'writes':
      return `${tool} writes now, and only read before.`;
    case 'described':
      return `The description of ${tool} has changed: read it, since models act on it.`;
    case 'added':
      return `${tool} is new.`;
  }
}

function users(skills: readonly { readonly name: string; readonly file: string }[]): string {
  if (skills.length === 0) return '';
  const named = skills.slice(0, MAX_NAMED).map(({ name, file }) => `\`${name}\` (${file})`);
  const more = skills.length > MAX_NAMED ? [`${skills.length - MAX_NAMED} more`] : [];
  return ` Used by ${listed([...named, ...more])}.`;
}
