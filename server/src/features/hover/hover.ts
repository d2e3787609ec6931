/** Explains the key, name, field or template word under the cursor, as Markdown. */
import type { Hover } from 'vscode-languageserver-types';
import { toolsUnder } from '../../abilities/permissions.ts';
import type { Analysis } from '../../analysis/analysis.ts';
import { toolKeysOf } from '../../analysis/client-tools.ts';
import { outputOfTool } from '../../analysis/tool-output.ts';
import { formatDuration } from '../../format-amounts.ts';
import { findFilter, findFunction, findLoopField, findTest } from '../../languages/minijinja/builtins.ts';
import type { DefinitionKind } from '../../languages/minijinja/scope-model.ts';
import { hasKind, labelOf } from '../../languages/minijinja/types/value-type.ts';
import {
  printYaml,
  type Schema,
  type SchemaField,
  shorthandTypes,
  type TypeWord,
  toShorthand,
} from '../../languages/schema/schema.ts';
import { findValue, jsonOf, nodeAt, numberOf } from '../../languages/yaml/node.ts';
import { findRule } from '../../rules/engine/index.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { lineAt, touches } from '../../text.ts';
import { CONDITION_VARIABLES, TEMPLATE_VARIABLES } from '../../vocabulary/known-names.ts';
import { alternatives, findKey } from '../../vocabulary/shape.ts';
import { skillKeys } from '../../vocabulary/skill-keys.ts';
import { resolves } from '../../workspace/resolve-skill.ts';
import { describeToolWord } from '../clients/tool-clients.ts';
import type { Locate } from '../locate.ts';
import {
  code,
  describedBy,
  factLine,
  fence,
  type Markdown,
  markup,
  md,
  paragraphs,
  rows,
  trusted,
} from '../markdown.ts';
import { describeMacro, findMacro } from '../symbol/macros.ts';
import { findField, schemaOf } from '../symbol/schema-place.ts';
import type { FieldOwner, SkillSymbol } from '../symbol/skill-symbol.ts';
import { symbolAt } from '../symbol/symbol.ts';
import { findTemplate, valueAt } from '../symbol/template-values.ts';
import { describeBuiltin, describeClientKey, describeField, describeKey, jsonFence } from './describe.ts';
import { describeComposition, describeUse } from './describe-composition.ts';
import { describeName } from './describe-names.ts';
import { FIELD_KEY_DOCS, KEYWORD_DOCS } from './schema-docs.ts';

export function hover(analysis: Analysis, file: SkillFile, offset: number, locate: Locate): Hover | null {
  const tools = toolKeysOf(analysis, file).flatMap((key) => toolsUnder(file, key));
  const tool = tools.find(({ span }) => touches(span, offset));
  if (tool) return { contents: markup(describeToolWord(analysis, file, tool)), range: locate.range(file, tool.span) };
  const symbol = symbolAt(file, offset);
  const value = symbol && describeSymbol(analysis, file, symbol);
  if (!symbol || !value) return null;
  return { contents: markup(value), range: locate.range(file, symbol.span) };
}

function describeSymbol(analysis: Analysis, file: SkillFile, symbol: SkillSymbol): Markdown | undefined {
  switch (symbol.kind) {
    case 'key':
      return explainKey(analysis, file, symbol);
    case 'client-key':
      return describeClientKey(symbol.name);
    case 'choice': {
      const isLevel = findValue(file.frontmatter.tree.root, 'level')?.span.start === symbol.span.start;
      const meaning = md`**${symbol.value}** · ${trusted(symbol.docs)}`;
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
      return (
        word &&
        paragraphs(md`**${word.name}** · type`, trusted(word.docs), hasMoreThanType(word) && jsonFence(word.json))
      );
    }
    case 'schema-key': {
      const docs = FIELD_KEY_DOCS.get(symbol.name) ?? KEYWORD_DOCS.get(symbol.name);
      return docs === undefined ? undefined : paragraphs(md`**${symbol.name}** · schema`, trusted(docs));
    }
    case 'rule': {
      const rule = findRule(symbol.name);
      return (
        rule &&
        paragraphs(
          factLine(md`**${rule.name}** · rule`, `${rule.severity} by default`),
          md`For details, run ${code(`skill-composer explain ${rule.name}`)}.`,
        )
      );
    }
    case 'artifact-kind':
      return explainKind(symbol.name);
    case 'variable':
      return explainVariable(file, symbol);
    case 'filter':
      return describeBuiltin(md`filter`, findFilter(symbol.name));
    case 'test':
      return describeBuiltin(md`test`, findTest(symbol.name));
    case 'function':
      return describeBuiltin(md`function`, findFunction(symbol.name));
    case 'loop-field':
      return describeBuiltin(md`field of ${code('loop')}`, findLoopField(symbol.name));
  }
}

/** Returns whether a type word expands to more than the JSON Schema type of the same name. */
const hasMoreThanType = ({ name, json }: TypeWord): boolean =>
  name !== 'any' && JSON.stringify(json) !== JSON.stringify({ type: name });

/** Explains a name: for the skill's own name its composition, for a composed skill its version and its composites. */
function explainName(
  analysis: Analysis,
  file: SkillFile,
  { domain, name, span, plain }: SkillSymbol & { kind: 'name' },
): Markdown | undefined {
  if (plain && !resolves(analysis.graph, file, plain)) return undefined;
  const meaning = describeName(analysis, file, domain, name);
  if (meaning === undefined || (domain !== 'skill' && domain !== 'step')) return meaning;
  if (span.start === file.contract.name?.span.start) {
    return paragraphs(meaning, describeComposition(analysis, file.uri));
  }
  const step = file.contract.composes.find((entry) => domain === 'step' && entry.step === name);
  return paragraphs(meaning, describeUse(analysis, file.uri, step?.name ?? name));
}

/** The frontmatter keys that are explained together with the composition of the skill. */
const COMPOSING: readonly string[] = ['name', 'level', 'composes'];

/** Explains a key; for a key with a schema, also shows the schema in the other form (shorthand or JSON Schema). */
function explainKey(analysis: Analysis, file: SkillFile, { key, value }: SkillSymbol & { kind: 'key' }): Markdown {
  const isTop = findKey(skillKeys, key.name) === key;
  const holdsSchema = alternatives(key.shape).some(({ kind }) => kind === 'schema');
  const schema = holdsSchema && value ? schemaOf(file, value) : undefined;
  const composition = isTop && COMPOSING.includes(key.name) && describeComposition(analysis, file.uri);
  const ms = key.name.endsWith('_ms') ? numberOf(value) : undefined;
  const inUnits = ms !== undefined && ms >= 1000 && md`This value: ${formatDuration(ms)}.`;
  return paragraphs(describeKey(key, file.dialect), inUnits, schema && otherForm(schema), composition);
}

function otherForm({ form, json }: Schema): Markdown | undefined {
  if (form === 'shorthand') return paragraphs(md`As JSON Schema:`, jsonFence(json));
  const shorthand = form === 'json-schema' ? toShorthand(json) : undefined;
  return shorthand && paragraphs(md`As shorthand:`, fence('yaml', printYaml(shorthand, '').trim()));
}

/** Describes where the field is declared; undefined at the declaration itself. */
function declaredAt(
  { lines }: SkillFile,
  { owner, span }: SkillSymbol & { kind: 'field' },
  { keySpan }: SchemaField,
): Markdown | undefined {
  if (owner.kind === 'schema') return undefined;
  if (owner.kind === 'tool') return md`_output of_ ${code(owner.name)}`;
  if (owner.kind === 'skill') return md`_${owner.side} of_ ${code(owner.name)}`;
  return touches(keySpan, span.start) ? undefined : md`_${owner.side}, line ${lineAt(lines, keySpan.start) + 1}_`;
}

function fieldsOf(analysis: Analysis, file: SkillFile, owner: FieldOwner): readonly SchemaField[] {
  if (owner.kind === 'schema') return owner.schema.fields;
  if (owner.kind === 'tool') return outputOfTool(analysis, file, owner.name)?.schema.fields ?? [];
  const holder = owner.kind === 'self' ? file : analysis.resolveSide(file, owner.name, owner.side);
  return holder?.contract[owner.side]?.schema.fields ?? [];
}

const ARTIFACT_KIND_DOCS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    Description: 'Facts for the model. With `include_when`, the section is included only if the condition is true.',
    Approach:
      'How to do the job. A top-level ordered list defines stages; without one, the approach is a single loop. The first approach whose `include_when` is true is used.',
    PromptTemplate:
      'A MiniJinja template: the section after its metadata, or the only fence marked `jinja` in it. Several templates may have the same name if their `model_variant` differs.',
    Example:
      'An `### Input` and its `### Output`. YAML and JSON fences are data and are checked against the contract; other text is literal.',
    CodeTemplate: 'No longer supported. Use a PromptTemplate or a tool.',
    DspyModule: 'No longer supported. Use its fallback PromptTemplate.',
  }),
);

function explainKind(name: string): Markdown | undefined {
  const docs = ARTIFACT_KIND_DOCS.get(name);
  return docs === undefined
    ? undefined
    : paragraphs(md`**${name}** · kind of artifact`, trusted(docs), md`_skill format, section 5_`);
}

const DEFINITION_DOCS: Readonly<Record<DefinitionKind, string>> = {
  set: 'set in this template',
  for: 'item of the loop',
  with: 'set in the `with` block',
  macro: 'macro',
  parameter: 'parameter of the macro',
  import: 'imported',
  loop: 'the enclosing loop',
  caller: 'the content of the `call` block',
  self: 'the blocks of this template',
  super: 'the content of the block in the extended template',
};

function explainVariable(file: SkillFile, symbol: SkillSymbol & { kind: 'variable' }): Markdown | undefined {
  const { name, path, variable, place } = symbol;
  const value = valueAt(file, name, variable, path);
  const title = md`**${[name, ...path.map((segment) => segment.name)].join('.')}**`;
  const docs = describedBy(value?.docs);
  if (path.length > 0)
    return (
      value &&
      paragraphs(factLine(title, code(labelOf(value)), hasKind(value, 'undefined') && 'may be undefined'), docs)
    );
  if (variable) {
    const kind = variable.definitions[0]?.kind ?? 'set';
    const isCode = kind === 'loop' || kind === 'macro' || kind === 'import';
    const type = value && !isCode ? labelOf(value) : undefined;
    return paragraphs(
      factLine(title, type && code(type), trusted(DEFINITION_DOCS[kind]), linesOf(file, symbol)),
      callOf(file, symbol),
      docs,
    );
  }
  const ambient = (place === 'template' ? TEMPLATE_VARIABLES : CONDITION_VARIABLES).find((one) => one.name === name);
  return ambient && paragraphs(md`${title} · ${ambient.type}, from the composer`, trusted(ambient.docs));
}

const MAX_SHOWN = 3;

/** Returns, in words, the numbers of the lines that define the name, except the definition under the cursor. */
function linesOf(
  { lines }: SkillFile,
  { variable, place, span }: SkillSymbol & { kind: 'variable' },
): string | undefined {
  if (!variable || variable.implicit || place !== 'template') return undefined;
  const written = variable.definitions.filter((definition) => definition.span.start !== span.start);
  const numbers = [...new Set(written.map((definition) => lineAt(lines, definition.span.start) + 1))];
  if (numbers.length === 0) return undefined;
  const more = numbers.length > MAX_SHOWN ? ' and more' : '';
  return `line ${numbers.slice(0, MAX_SHOWN).join(', ')}${more}`;
}

function callOf(file: SkillFile, { name, span }: SkillSymbol & { kind: 'variable' }): Markdown | undefined {
  const here = findTemplate(file, span.start);
  const macro = here && findMacro(file, here, [name], span.end);
  return macro && fence('jinja', describeMacro(macro, file.text).label);
}

/** The maximum length of a value that is shown, in UTF-16 code units. */
const MAX_VALUE = 60;

/** Lists the values of a parameter in the samples that set it. */
function sampleValues({ contract }: SkillFile, path: readonly string[]): Markdown | undefined {
  const given = contract.samples.flatMap(({ name, parameters }) => {
    const node = nodeAt(parameters, path);
    return node ? [{ name, value: JSON.stringify(jsonOf(node)) ?? 'null' }] : [];
  });
  if (given.length === 0) return undefined;
  const lines = given.slice(0, MAX_SHOWN).map(({ name, value }) => {
    const shown = value.length > MAX_VALUE ? `${value.slice(0, MAX_VALUE)}…` : value;
    return md`- ${code(name)}: ${code(shown)}`;
  });
  if (given.length > MAX_SHOWN) lines.push(md`- and ${given.length - MAX_SHOWN} more`);
  return paragraphs(md`Values in samples`, rows(lines));
}
