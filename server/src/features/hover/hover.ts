/** What a key, a name, a field or a template's word means, as Markdown. */
import type { Hover } from 'vscode-languageserver-types';
import type { Analysis } from '../../analysis/analysis.ts';
import { findFilter, findFunction, findLoopField, findTest } from '../../languages/minijinja/builtins/builtins.ts';
import {
  printYaml,
  type Schema,
  type SchemaField,
  shorthandTypes,
  toShorthand,
} from '../../languages/schema/schema.ts';
import { findValue } from '../../languages/yaml/node.ts';
import { findRule } from '../../rules/index.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { lineAt, touches } from '../../text.ts';
import { alternatives, findKey } from '../../vocabulary/shape.ts';
import { skillKeys } from '../../vocabulary/skill-keys.ts';
import type { Locate } from '../locate.ts';
import { findField } from '../symbol/fields.ts';
import { schemaOf } from '../symbol/schema-place.ts';
import type { FieldOwner, SkillSymbol } from '../symbol/skill-symbol.ts';
import { symbolAt } from '../symbol/symbol.ts';
import {
  describeBuiltin,
  describeClientKey,
  describeField,
  describeKey,
  facts,
  jsonFence,
  paragraphs,
} from './describe.ts';
import { describeComposition, describeUse } from './describe-composition.ts';
import { describeName } from './describe-names.ts';
import { explainVariable, sampleValues } from './describe-variable.ts';
import { FIELD_KEY_DOCS, KEYWORD_DOCS } from './schema-docs.ts';

export function hover(analysis: Analysis, file: SkillFile, offset: number, locate: Locate): Hover | null {
  const symbol = symbolAt(file, offset);
  const value = symbol && explain(analysis, file, symbol);
  if (!symbol || !value) return null;
  return { contents: { kind: 'markdown', value }, range: locate.range(file, symbol.span) };
}

function explain(analysis: Analysis, file: SkillFile, symbol: SkillSymbol): string | undefined {
  switch (symbol.kind) {
    case 'key':
      return explainKey(analysis, file, symbol);
    case 'client-key':
      return describeClientKey(symbol.name);
    case 'choice': {
      const isLevel = findValue(file.frontmatter.tree.root, 'level')?.span.start === symbol.span.start;
      const meaning = `**${symbol.value}** · ${symbol.docs}`;
      return isLevel ? paragraphs(meaning, describeComposition(analysis, file.uri)) : meaning;
    }
    case 'name':
      return explainName(analysis, file, symbol);
    case 'field': {
      const field = findField(fieldsOf(analysis, file, symbol.owner), symbol.path);
      const isParameter = symbol.owner.kind === 'self' && symbol.owner.side === 'input';
      return (
        field &&
        paragraphs(
          describeField(field, symbol.path),
          declaredAt(file, symbol, field),
          isParameter && sampleValues(file, symbol.path),
        )
      );
    }
    case 'type': {
      const word = shorthandTypes.find(({ name }) => name === symbol.name);
      return word && paragraphs(`**${word.name}** · type`, word.docs, jsonFence(word.json));
    }
    case 'schema-key': {
      const docs = FIELD_KEY_DOCS.get(symbol.name) ?? KEYWORD_DOCS.get(symbol.name);
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
      return explainVariable(file, symbol);
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

/** The file's own name shows its composition, the name of a part its version and who composes it. */
function explainName(
  analysis: Analysis,
  file: SkillFile,
  { domain, name, span }: SkillSymbol & { kind: 'name' },
): string | undefined {
  const meaning = describeName(analysis, file, domain, name);
  if (meaning === undefined || (domain !== 'skill' && domain !== 'step')) return meaning;
  if (span.start === file.contract.name?.span.start) {
    return paragraphs(meaning, describeComposition(analysis, file.uri));
  }
  const step = file.contract.composes.find((entry) => domain === 'step' && entry.step === name);
  return paragraphs(meaning, describeUse(analysis, file.uri, step?.name ?? name));
}

/** The keys of a frontmatter that make a skill a composite. */
const COMPOSING: readonly string[] = ['name', 'level', 'composes'];

/** A key that holds a schema also shows it in the other form. */
function explainKey(analysis: Analysis, file: SkillFile, { key, value }: SkillSymbol & { kind: 'key' }): string {
  const isTop = findKey(skillKeys, key.name) === key;
  const holdsSchema = alternatives(key.shape).some(({ kind }) => kind === 'schema');
  const schema = holdsSchema && value ? schemaOf(file, value) : undefined;
  const composition = isTop && COMPOSING.includes(key.name) && describeComposition(analysis, file.uri);
  return paragraphs(describeKey(key, file.dialect), schema && otherForm(schema), composition);
}

function otherForm({ form, json }: Schema): string | undefined {
  if (form === 'shorthand') return paragraphs('Written out:', jsonFence(json));
  const shorthand = form === 'json-schema' ? toShorthand(json) : undefined;
  return shorthand && paragraphs('In shorthand:', `\`\`\`yaml\n${printYaml(shorthand, '').trim()}\n\`\`\``);
}

/** Where the field is declared; undefined at that place itself. */
function declaredAt(
  { lines }: SkillFile,
  { owner, span }: SkillSymbol & { kind: 'field' },
  { keySpan }: SchemaField,
): string | undefined {
  if (owner.kind === 'schema') return undefined;
  if (owner.kind === 'skill') return `_${owner.side} of_ \`${owner.name}\``;
  return touches(keySpan, span.start) ? undefined : `_${owner.side}, line ${lineAt(lines, keySpan.start) + 1}_`;
}

function fieldsOf(analysis: Analysis, file: SkillFile, owner: FieldOwner): readonly SchemaField[] {
  if (owner.kind === 'schema') return owner.schema.fields;
  const holder = owner.kind === 'self' ? file : analysis.resolveSkill(file, owner.name);
  return holder?.contract[owner.side]?.schema.fields ?? [];
}

const KINDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    Description: 'What the model has to know. With `include_when` it is taken only where a condition holds.',
    Approach:
      'How to go about it. A top-level ordered list makes stages; without one it is a single loop. The first whose `include_when` holds is taken.',
    PromptTemplate:
      'A MiniJinja template: the rest of the section, or the one fence in it marked `jinja`. Templates may share a name and differ in `model_variant`.',
    Example:
      'An `### Input` and its `### Output`. YAML and JSON fences are data and are checked against the contract; other text is literal.',
    CodeTemplate: 'Retired: make it a PromptTemplate, or a tool.',
    DspyModule: 'Retired: its fallback PromptTemplate takes its place.',
  }),
);

const explainKind = (name: string): string | undefined =>
  KINDS.get(name) && paragraphs(`**${name}** · kind of artifact`, KINDS.get(name), '_skill format, section 5_');
