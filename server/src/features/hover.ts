/** What a key, a name, a field or a template's word means, as Markdown. */
import type { Hover } from 'vscode-languageserver-types';
import { findRule } from '../rules/index.ts';
import type { SkillDocument } from '../skill/document.ts';
import { shorthandTypes } from '../skill/schema/words.ts';
import type { SchemaField } from '../skill/schema.ts';
import { findFilter, findFunction, findLoopField, findTest } from '../skill/template/builtins.ts';
import { CONDITION_VARIABLES, TEMPLATE_VARIABLES } from '../skill/vocabulary/known-names.ts';
import { findKey, type KeySpec } from '../skill/vocabulary/shape.ts';
import { skillKeys } from '../skill/vocabulary/skill-keys.ts';
import { findValue } from '../skill/yaml/node.ts';
import { resolveSkill } from '../workspace/resolve-skill.ts';
import type { WorkspaceIndex } from '../workspace/workspace-index.ts';
import {
  describeBuiltin,
  describeClientKey,
  describeField,
  describeKey,
  facts,
  findField,
  jsonFence,
  paragraphs,
} from './describe.ts';
import { describeComposition, describeUse } from './describe-composition.ts';
import { describeName } from './describe-names.ts';
import type { Locate } from './locate.ts';
import { FIELD_KEY_DOCS, KEYWORD_DOCS } from './schema-docs.ts';
import type { FieldOwner, SkillSymbol } from './skill-symbol.ts';
import { symbolAt } from './symbol.ts';
import { valueAt } from './template-values.ts';

export function hover(index: WorkspaceIndex, document: SkillDocument, offset: number, locate: Locate): Hover | null {
  const symbol = symbolAt(document, offset);
  const value = symbol && explain(index, document, symbol);
  if (!symbol || !value) return null;
  return { contents: { kind: 'markdown', value }, range: locate.range(document, symbol.span) };
}

function explain(index: WorkspaceIndex, document: SkillDocument, symbol: SkillSymbol): string | undefined {
  switch (symbol.kind) {
    case 'key':
      return explainKey(index, document, symbol.key);
    case 'client-key':
      return describeClientKey(symbol.name);
    case 'choice': {
      const isLevel = findValue(document.frontmatter.tree.root, 'level')?.span.start === symbol.span.start;
      const meaning = `**${symbol.value}** · ${symbol.docs}`;
      return isLevel ? paragraphs(meaning, describeComposition(index, document.uri)) : meaning;
    }
    case 'name':
      return explainName(index, document, symbol);
    case 'field': {
      const field = findField(fieldsOf(index, document, symbol.owner), symbol.path);
      return field && describeField(field, symbol.path);
    }
    case 'type': {
      const word = shorthandTypes.find(({ name }) => name === symbol.name);
      return word && paragraphs(`**${word.name}** · type`, word.docs, jsonFence(word.json));
    }
    case 'schema-key': {
      const docs = FIELD_KEY_DOCS[symbol.name] ?? KEYWORD_DOCS[symbol.name];
      return docs && paragraphs(`**${symbol.name}** · schema`, docs);
    }
    case 'rule': {
      const rule = findRule(symbol.name);
      return (
        rule &&
        paragraphs(
          facts(`**${rule.name}** · rule`, `${rule.severity} by default`),
          `\`skill-composer explain ${rule.name}\` tells more.`,
        )
      );
    }
    case 'artifact-kind':
      return explainKind(symbol.name);
    case 'variable':
      return explainVariable(document, symbol);
    case 'filter':
      return describeBuiltin('filter', findFilter(symbol.name));
    case 'test':
      return describeBuiltin('test', findTest(symbol.name));
    case 'function':
      return describeBuiltin('function', findFunction(symbol.name));
    case 'loop-field':
      return describeBuiltin('field of `loop`', findLoopField(symbol.name));
  }
}

/** The file's own name shows what it comes to with its parts, that of a part which version it is and who composes it. */
function explainName(
  index: WorkspaceIndex,
  document: SkillDocument,
  { domain, name, span }: SkillSymbol & { kind: 'name' },
): string | undefined {
  const meaning = describeName(index, document, domain, name);
  if (meaning === undefined || (domain !== 'skill' && domain !== 'step')) return meaning;
  if (span.start === document.contract.name?.span.start) {
    return paragraphs(meaning, describeComposition(index, document.uri));
  }
  const step = document.contract.composes.find((entry) => domain === 'step' && entry.step === name);
  return paragraphs(meaning, describeUse(index, document.uri, step?.name ?? name));
}

/** The keys of a frontmatter that make a skill a composite. */
const COMPOSING: readonly string[] = ['name', 'level', 'composes'];

/** A key that holds a schema also shows the one JSON Schema that it means. */
function explainKey(index: WorkspaceIndex, document: SkillDocument, key: KeySpec): string {
  const { input, output } = document.contract;
  const isTop = findKey(skillKeys, key.name) === key;
  const schema = !isTop
    ? undefined
    : key.name === 'input_schema'
      ? input
      : key.name === 'output_schema'
        ? output
        : undefined;
  const meaning =
    schema && schema.schema.form === 'shorthand' && paragraphs('Written out:', jsonFence(schema.schema.json));
  const composition = isTop && COMPOSING.includes(key.name) && describeComposition(index, document.uri);
  return paragraphs(describeKey(key, document.dialect), meaning, composition);
}

function fieldsOf(index: WorkspaceIndex, document: SkillDocument, owner: FieldOwner): readonly SchemaField[] {
  if (owner.kind === 'schema') return owner.schema.fields;
  const holder = owner.kind === 'self' ? document : resolveSkill(index, document, owner.name);
  return holder?.contract[owner.side]?.schema.fields ?? [];
}

const KINDS: Readonly<Record<string, string>> = {
  Description: 'What the model has to know. With `include_when` it is taken only where a condition holds.',
  Approach:
    'How to go about it. A top-level ordered list makes stages; without one it is a single loop. The first whose `include_when` holds is taken.',
  PromptTemplate:
    'A MiniJinja template: the rest of the section, or the one fence in it marked `jinja`. Templates may share a name and differ in `model_variant`.',
  Example:
    'An `### Input` and its `### Output`. YAML and JSON fences are data and are checked against the contract; other text is literal.',
  CodeTemplate: 'Retired: make it a PromptTemplate, or a tool.',
  DspyModule: 'Retired: its fallback PromptTemplate takes its place.',
};

const explainKind = (name: string): string | undefined =>
  KINDS[name] && paragraphs(`**${name}** · kind of artifact`, KINDS[name], '_skill format, section 5_');

const DEFINED: Readonly<Record<string, string>> = {
  set: 'set in this template',
  for: 'takes each item of the loop in turn',
  with: 'of the `with` block',
  macro: 'macro',
  parameter: 'parameter of the macro',
  import: 'imported',
  loop: 'the loop around this place',
  caller: 'what the `call` block holds',
  self: 'the blocks of this template',
  super: 'what the block of the extended template holds',
};

function explainVariable(document: SkillDocument, symbol: SkillSymbol & { kind: 'variable' }): string | undefined {
  const { name, path, variable, scopes, place } = symbol;
  const value = valueAt(document, scopes, name, variable, path);
  const title = `**${[name, ...path.map((segment) => segment.name)].join('.')}**`;
  if (path.length > 0) return value && paragraphs(facts(title, `\`${value.type}\``), value.docs);
  if (variable) {
    const kind = variable.definitions[0]?.kind ?? 'set';
    const type = kind === 'loop' ? undefined : value?.type;
    return paragraphs(facts(title, type && `\`${type}\``, DEFINED[kind]), value?.docs);
  }
  const ambient = (place === 'template' ? TEMPLATE_VARIABLES : CONDITION_VARIABLES).find((one) => one.name === name);
  return ambient && paragraphs(`${title} · ${ambient.type}, from the composer`, ambient.docs);
}
