/**
 * The settings of a skill for Codex, `agents/openai.yaml` (docs/clients.md, "Settings for Codex"). Codex reads the whole file
 * or nothing of it.
 */
import { findValue, mapEntries, type YamlNode, type YamlTree } from '../../languages/yaml/node.ts';
import { parseYaml } from '../../languages/yaml/parse.ts';
import { type Span, span } from '../../text.ts';
import { parseKeys, YamlText } from './dialects.ts';
import { firstOf } from './setting.ts';

/** A reason why Codex ignores the whole file. */
export interface OpenAiFault {
  readonly kind: 'yaml' | 'duplicate-key' | 'type' | 'value';
  /** The path of the key, such as `policy.products`; empty for the whole file. */
  readonly key: string;
  readonly span: Span;
  /** The values that Codex accepts, as the end of a sentence. */
  readonly expected?: string;
}

/** A key that hides a skill from the model. */
export interface HidingKey {
  /** The path of the key, for example `policy.products`. */
  readonly key: string;
  /** The value, as in YAML. */
  readonly value: string;
}

export interface OpenAiSettings {
  /** The key that hides the skill from the model; undefined if it is in the list. */
  readonly hides: HidingKey | undefined;
  /** The first reason why Codex ignores the whole file. */
  readonly fault: OpenAiFault | undefined;
}

/** A value that Codex accepts: any scalar, a boolean, one of some words, a list, or a map with known keys. */
type Expected =
  | { readonly kind: 'text' | 'boolean' | 'products' }
  | { readonly kind: 'list'; readonly items: Expected }
  | { readonly kind: 'map'; readonly keys: ReadonlyMap<string, Expected> };

const TEXT: Expected = { kind: 'text' };
const mapOf = (keys: Readonly<Record<string, Expected>>): Expected => ({
  kind: 'map',
  keys: new Map(Object.entries(keys)),
});

/** The keys of the file (observed: Codex 0.171.0, `lab/agents/openai-observed.json`). Other keys have no effect. */
const SETTINGS = mapOf({
  interface: mapOf({
    display_name: TEXT,
    short_description: TEXT,
    icon_small: TEXT,
    icon_large: TEXT,
    brand_color: TEXT,
    default_prompt: TEXT,
  }),
  dependencies: mapOf({
    tools: {
      kind: 'list',
      items: mapOf({ type: TEXT, value: TEXT, description: TEXT, transport: TEXT, command: TEXT, url: TEXT }),
    },
  }),
  policy: mapOf({ allow_implicit_invocation: { kind: 'boolean' }, products: { kind: 'products' } }),
});

/** The words for OpenAI's products, and those that are Codex itself. */
const PRODUCTS: readonly string[] = ['chatgpt', 'CHATGPT', 'codex', 'CODEX', 'atlas', 'ATLAS'];
const CODEX: readonly string[] = ['codex', 'CODEX'];

const WORDS: Readonly<Record<Expected['kind'], string>> = {
  text: 'a text',
  boolean: '`true` or `false`',
  products: 'a list of `codex`, `chatgpt` and `atlas`',
  list: 'a list',
  map: 'a map',
};

/** Reads the settings of a skill as Codex does. Never throws. */
export function readOpenAiSettings(text: string): OpenAiSettings {
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  const tree = parseYaml(text, span(start, text.length));
  const fault = syntaxFault(text, tree) ?? (tree.root && faultIn(tree.root, SETTINGS, ''));
  return { hides: fault ? undefined : hidingKey(tree.root), fault };
}

const RULES = { dialect: 'serde', duplicates: 'last', repair: 'none', afterError: 'drop' } as const;

function syntaxFault(text: string, tree: YamlTree): OpenAiFault | undefined {
  const read = parseKeys(new YamlText(text, tree.span), RULES, firstOf);
  const problem = tree.problems.find(({ kind }) => kind === 'syntax');
  const isEmpty = tree.root === undefined && !tree.broken;
  if (isEmpty || !('code' in read)) return undefined;
  if (read.code === 'parse/not-a-map')
    return { kind: 'type', key: '', span: tree.root?.span ?? tree.span, expected: WORDS.map };
  return { kind: 'yaml', key: '', span: problem?.span ?? span(read.at, Math.min(text.length, read.at + 1)) };
}

const isNullNode = (node: YamlNode): boolean => node.kind === 'scalar' && node.value === null;

function faultIn(node: YamlNode, expected: Expected, key: string): OpenAiFault | undefined {
  if (isNullNode(node)) return undefined;
  const wrong = (kind: OpenAiFault['kind']): OpenAiFault => ({
    kind,
    key,
    span: node.span,
    expected: WORDS[expected.kind],
  });
  switch (expected.kind) {
    case 'text':
      return node.kind === 'scalar' ? undefined : wrong('type');
    case 'boolean':
      return node.kind === 'scalar' && typeof node.value === 'boolean' ? undefined : wrong('type');
    case 'products':
      if (node.kind !== 'list') return wrong('type');
      return node.items.every((item) => item.kind === 'scalar' && PRODUCTS.includes(String(item.value)))
        ? undefined
        : wrong('value');
    case 'list':
      if (node.kind !== 'list') return wrong('type');
      return firstOfAll(node.items, (item) => faultIn(item, expected.items, key));
    case 'map':
      return node.kind === 'map' ? faultInMap(node, expected.keys, key) : wrong('type');
  }
}

function faultInMap(node: YamlNode, keys: ReadonlyMap<string, Expected>, path: string): OpenAiFault | undefined {
  const seen = new Set<string>();
  return firstOfAll(mapEntries(node), ({ key, value }) => {
    const name = String(key.value);
    const known = keys.get(name);
    if (!known) return undefined;
    const full = path === '' ? name : `${path}.${name}`;
    if (seen.has(name)) return { kind: 'duplicate-key', key: full, span: key.span };
    seen.add(name);
    return faultIn(value, known, full);
  });
}

function firstOfAll<Item, Found>(items: readonly Item[], find: (item: Item) => Found | undefined): Found | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function hidingKey(root: YamlNode | undefined): HidingKey | undefined {
  const policy = findValue(root, 'policy');
  const allowed = findValue(policy, 'allow_implicit_invocation');
  if (allowed?.kind === 'scalar' && allowed.value === false)
    return { key: 'policy.allow_implicit_invocation', value: 'false' };
  const products = findValue(policy, 'products');
  const names =
    products?.kind === 'list' ? products.items.map((item) => (item.kind === 'scalar' ? String(item.value) : '')) : [];
  if (names.length === 0 || names.some((name) => CODEX.includes(name))) return undefined;
  return { key: 'policy.products', value: `[${names.join(', ')}]` };
}
