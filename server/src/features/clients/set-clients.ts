/** Saves a choice of target clients, in the catalog or in the settings (docs/clients.md, "Choose clients"). */
import type { Analysis } from '../../analysis/analysis.ts';
import type { FileEdits } from '../../finding.ts';
import { appendItem, formatJson, insertEntry, removeEntry, removeItem, setScalar } from '../../languages/yaml/edit.ts';
import {
  findEntry,
  findValue,
  type Json,
  jsonOf,
  stringOf,
  type YamlList,
  type YamlMap,
} from '../../languages/yaml/node.ts';
import { SkillFile } from '../../skill/skill-file.ts';
import { applyEdits, type TextEdit } from '../../text.ts';
import { CATALOG_NAME } from '../../vocabulary/dialect.ts';
import { parseCatalog } from '../../workspace/catalog.ts';
import { lineDifferences } from '../difference.ts';

type Edits = readonly TextEdit[];

/** The changes that save a choice; a part is undefined if it does not change. */
export interface SavedChoice {
  readonly catalog: FileEdits | undefined;
  /** The new clients of the settings; an empty list removes them. */
  readonly settings: readonly string[] | undefined;
}

/** A catalog that cannot be edited, with the reason. */
export interface UneditableCatalog {
  readonly uri: string;
  readonly problem: string;
}

/**
 * Returns the changes after which `ids` are the target clients of the skills beside `uri`, a file or `FOLDER/`. Clients
 * in the settings hide those of the catalog, so such a choice is replaced there. Otherwise it is saved in the catalog,
 * or without a catalog in the settings. Without IDs, the clients are detected again (docs/clients.md, "Choose clients").
 */
export function saveChoice(analysis: Analysis, uri: string, ids: readonly string[]): SavedChoice | UneditableCatalog {
  const governing = analysis.findCatalog(uri);
  const catalog = governing && analysis.file(governing.uri);
  const isInSettings = analysis.clients !== undefined;
  const isOfSettings = isInSettings || !catalog;
  const settings = isOfSettings && (isInSettings || ids.length > 0) ? ids : undefined;
  const isOfCatalog = catalog && (ids.length === 0 || !isOfSettings);
  const edits = isOfCatalog ? catalogEdits(catalog, ids) : [];
  if (catalog && typeof edits === 'string') return { uri: catalog.uri, problem: edits };
  if (!catalog || typeof edits === 'string' || edits.length === 0) return { catalog: undefined, settings };
  return { catalog: { uri: catalog.uri, edits }, settings };
}

/**
 * Returns the edits that write `agent_skills.clients`, or remove it if there are no IDs; no edits if the catalog names
 * exactly these clients. Comments and all other values stay. Returns the reason if this is not possible.
 */
export function catalogEdits(catalog: SkillFile, ids: readonly string[]): Edits | string {
  if (catalog.frontmatter.tree.broken) {
    return `\`${CATALOG_NAME}\` has a syntax error. Correct it, then choose the clients again.`;
  }
  const wanted = ids.length === 0 ? undefined : ids;
  const written = wanted ? withClients(catalog, wanted) : withoutClients(catalog);
  const after = new SkillFile(catalog.uri, written);
  const isWritten = isEqual(clientsOf(after), wanted) && isEqual(otherValues(after), otherValues(catalog));
  if (after.frontmatter.tree.broken || !isWritten) {
    return `\`${CATALOG_NAME}\` cannot be changed automatically. Edit \`agent_skills.clients\` yourself.`;
  }
  return lineDifferences(catalog.text, written);
}

const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const clientsOf = (catalog: SkillFile): readonly string[] | undefined => parseCatalog(catalog).agentSkills.clients;

/** Returns all values of a catalog except the clients. An empty `agent_skills` counts as missing. */
function otherValues({ frontmatter: { tree } }: SkillFile): Json {
  const all = jsonOf(tree.root) as { readonly [key: string]: Json } | null;
  const { agent_skills: targets, ...others } = all ?? {};
  const { clients: _, ...rest } = (targets ?? {}) as { readonly [key: string]: Json };
  return Object.keys(rest).length === 0 ? others : { ...others, agent_skills: rest };
}

/** Returns the text without the clients, and without an `agent_skills` that contains nothing else. */
function withoutClients({ text, frontmatter: { tree } }: SkillFile): string {
  const { root } = tree;
  const targets = findValue(root, 'agent_skills');
  if (root?.kind !== 'map' || targets?.kind !== 'map' || !findEntry(targets, 'clients')) return text;
  const isOnly = targets.entries.length === 1;
  return applyEdits(text, isOnly ? removeEntry(text, root, 'agent_skills') : removeEntry(text, targets, 'clients'));
}

/** Returns the text with these clients. Keeps the items of a list that stay, with their comments. */
function withClients(catalog: SkillFile, ids: readonly string[]): string {
  const { text, frontmatter } = catalog;
  const { root, span } = frontmatter.tree;
  const value = formatJson(ids);
  const targets = findValue(root, 'agent_skills');
  if (!targets) {
    if (root?.kind === 'list') return text;
    return applyEdits(text, insertEntry(text, root ?? span, 'agent_skills', `{clients: ${value}}`));
  }
  if (targets.kind === 'list') return text;
  const clients = findValue(targets, 'clients');
  if (!clients) return applyEdits(text, insertEntry(text, targets, 'clients', value));
  if (clients.kind === 'list' && clients.items.length > 0) return withItems(catalog, ids);
  const isMissing = clients.span.start === clients.span.end;
  return applyEdits(text, [{ span: clients.span, newText: isMissing ? ` ${value}` : value }]);
}

/** Returns the text after edits of single items: other items are removed, replaced if only one is left, and appended. */
function withItems(catalog: SkillFile, ids: readonly string[]): string {
  let file = catalog;
  const apply = (edits: Edits): boolean => {
    file = new SkillFile(file.uri, applyEdits(file.text, edits));
    return edits.length > 0;
  };
  const isOther = (name: string | undefined, at: number, names: readonly (string | undefined)[]): boolean =>
    name === undefined || !ids.includes(name) || names.indexOf(name) < at;
  for (let found = listIn(file); found && found.list.items.length > 1; found = listIn(file)) {
    const other = namesIn(found.list).findIndex(isOther);
    if (other < 0 || !apply(removeItem(file.text, found.list, other))) break;
  }
  for (const id of ids) {
    const found = listIn(file);
    const [only, ...more] = found?.list.items ?? [];
    if (!found || namesIn(found.list).includes(id)) continue;
    // A list without items would have another form, so the last other item is replaced.
    const isReplaced = more.length === 0 && only?.kind === 'scalar' && !ids.includes(stringOf(only) ?? '');
    apply(isReplaced ? setScalar(file.text, only, id) : appendItem(file.text, found.targets, 'clients', id));
  }
  for (const [at, id] of ids.entries()) {
    const item = listIn(file)?.list.items[at];
    if (item?.kind === 'scalar') apply(setScalar(file.text, item, id));
  }
  return file.text;
}

const namesIn = ({ items }: YamlList): readonly (string | undefined)[] => items.map(stringOf);

function listIn({
  frontmatter: { tree },
}: SkillFile): { readonly targets: YamlMap; readonly list: YamlList } | undefined {
  const targets = findValue(tree.root, 'agent_skills');
  const list = findValue(targets, 'clients');
  return targets?.kind === 'map' && list?.kind === 'list' ? { targets, list } : undefined;
}
