// biome-ignore-all lint/suspicious/noTemplateCurlyInString: snippets have tab stops in braces.
/** Completion in a PromptTemplate, and in expressions of the template language. */
import type { Template, TemplateExpression } from '../../languages/minijinja/ast.ts';
import { type Builtin, FILTERS, FUNCTIONS, LOOP_FIELDS, TESTS } from '../../languages/minijinja/builtins.ts';
import {
  type EnclosingCall,
  type ExpectedValue,
  type FilterInput,
  type OpenBlock,
  type TemplateCursor,
  templateCursorAt,
} from '../../languages/minijinja/cursor.ts';
import type { Variable } from '../../languages/minijinja/scope-model.ts';
import { refusedBy, resultOfFilter } from '../../languages/minijinja/types/builtin-types.ts';
import {
  ANY,
  CALLABLE,
  hasKind,
  isAny,
  isOnly,
  LIST,
  labelOf,
  type Kind as ValueKind,
  type ValueType,
  without,
} from '../../languages/minijinja/types/value-type.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { type Span, span } from '../../text.ts';
import { type AmbientVariable, TEMPLATE_VARIABLES } from '../../vocabulary/known-names.ts';
import { describeBuiltin } from '../hover/describe.ts';
import { describedBy, trusted } from '../markdown.ts';
import { findTemplate, inputAt, valueAt } from '../symbol/template-values.ts';
import { type Cursor, Kind, literal, type Offer, type Proposal, Rank } from './proposal.ts';

export function offerInTemplate(cursor: Cursor): Offer | undefined {
  const here = findTemplate(cursor.file, cursor.offset);
  if (!here) return undefined;
  const { template, scopes } = here;
  const expected = templateCursorAt(template, cursor.offset, scopes);
  return offerForExpectation(cursor, expected, TEMPLATE_VARIABLES, template, (place) => place);
}

/**
 * Offers proposals for the syntax that is expected at the cursor. `toFile` converts spans in the expression to spans in
 * the file. `names` are the types of the names that no variable defines; the default is the names of a template.
 */
export function offerForExpectation(
  cursor: Cursor,
  expected: TemplateCursor | undefined,
  ambient: readonly AmbientVariable[],
  parsed: Template | TemplateExpression,
  toFile: (place: Span) => Span,
  names?: ReadonlyMap<string, ValueType>,
): Offer | undefined {
  if (!expected || expected.kind === 'text' || expected.kind === 'name') return undefined;
  const { file } = cursor;
  const { word } = expected;
  const pad = parsed.kind === 'template' ? spacesAround(parsed, word.span) : asItIs;
  const asWritten = (proposals: readonly Proposal[]): Offer => ({ span: toFile(word.span), proposals });
  const offer = (proposals: readonly Proposal[]): Offer => asWritten(proposals.map(pad));
  switch (expected.kind) {
    case 'expression': {
      const compared =
        expected.expected?.kind === 'compared' ? filteredValue(file, expected.expected.input, names) : undefined;
      const rankOf = ranking(expected.expected, compared);
      return offer([
        ...comparisonProposals(compared),
        ...keywordArguments(expected.call),
        ...variableProposals(file, expected.visible, ambient, rankOf),
        ...builtinProposals(FUNCTIONS, Kind.Function, Rank.rest).map((one) =>
          one.label === 'range' ? { ...one, rank: rankOf(LIST, Rank.rest) } : one,
        ),
        ...literals(expected.expected?.kind === 'items' ? Rank.doubtful : Rank.rest),
      ]);
    }
    case 'operator':
      return offer(operatorProposals(parsed.text.slice(0, word.span.start - parsed.base), word.prefix));
    case 'filter':
      return offer(
        filterProposals(inputOfFilter(file, parsed, word.span.start, expected.input), expected.isLoopedOver),
      );
    case 'test':
      return offer([...builtinProposals(TESTS, Kind.Function), { label: 'not', kind: Kind.Keyword, rank: Rank.near }]);
    case 'attribute': {
      const { receiver } = expected;
      const known = parsed.kind === 'template' ? inputAt(file, word.span.start) : undefined;
      const value = known ?? (receiver && valueAt(file, receiver.name, receiver.variable, receiver.segments));
      return value && offer(memberProposals(value));
    }
    case 'statement':
      return parsed.kind === 'template' ? asWritten(statementProposals(parsed, word.span, expected.open)) : undefined;
    case 'include-name':
      return asWritten(templateNames(cursor));
    case 'string': {
      const value = expected.comparedWith && filteredValue(file, expected.comparedWith, names);
      const constants = (value?.constants ?? []).filter((constant) => typeof constant === 'string');
      // The name of an attribute, as in `map(attribute="name")`.
      const items = parsed.kind === 'template' ? inputAt(file, word.span.start) : undefined;
      return asWritten([
        ...constants.map((constant) => ({
          label: constant,
          kind: Kind.EnumMember,
          insert: constant.replace(/["'\\]/g, '\\$&'),
        })),
        ...(items ? memberProposals(items) : []),
      ]);
    }
  }
}

const asItIs = (proposal: Proposal): Proposal => proposal;

/** Adds spaces around a word that touches the delimiters of its tag, and puts the cursor after the word. */
function spacesAround({ text, base }: Template, word: Span): (proposal: Proposal) => Proposal {
  const start = word.start - base;
  const end = word.end - base;
  const before = /\{\{[-+]?$/.test(text.slice(Math.max(0, start - 3), start)) ? ' ' : '';
  const isTight = /^[-+]?[}%]\}/.test(text.slice(end, end + 3));
  if (!isTight) return before === '' ? asItIs : (one) => ({ ...one, insert: before + (one.insert ?? one.label) });
  return ({ insert, isSnippet, ...one }) => {
    const inserted = isSnippet && insert !== undefined ? insert : literal(insert ?? one.label);
    return { ...one, insert: `${before}${inserted}$0 `, isSnippet: true };
  };
}

const literals = (rank: Rank): Proposal[] =>
  ['true', 'false', 'none', 'not'].map((label) => ({ label, kind: Kind.Keyword, rank }));

/** Returns the class of a value of a type at the cursor; `usual` if the type is unknown, or if every type fits. */
type Ranking = (type: ValueType | undefined, usual: Rank) => Rank;

/** Returns how well values fit at the cursor. `compared` is the type of the other side of a comparison. */
function ranking(expected: ExpectedValue | undefined, compared: ValueType | undefined): Ranking {
  return (type, usual) => {
    if (!type || isAny(type) || expected === undefined) return usual;
    const defined = without(type, 'undefined', 'null');
    if (expected.kind === 'items') {
      if (isOnly(defined, 'list')) return Rank.demanded;
      if (type.label === 'the loop' || isOnly(defined, 'string')) return Rank.rest;
      if (hasKind(defined, 'list', 'map')) return Rank.own;
      return isOnly(defined, 'number', 'boolean', 'callable') ? Rank.doubtful : usual;
    }
    if (isOnly(defined, 'callable')) return Rank.rest;
    if (expected.kind === 'condition') {
      if (isOnly(defined, 'boolean')) return Rank.demanded;
      const mayBeEmpty = hasKind(type, 'undefined', 'null') || isOnly(defined, 'list');
      return mayBeEmpty && usual === Rank.near ? Rank.own : usual;
    }
    if (!compared || isAny(compared)) return usual;
    return hasKind(defined, ...without(compared, 'undefined', 'null').kinds) ? Rank.own : Rank.rest;
  };
}

/** Returns the parameters of a filter or function that can be passed by name. */
function keywordArguments(call: EnclosingCall | undefined): Proposal[] {
  const name = call?.path.at(-1);
  if (!call || name === undefined || call.keyword !== undefined) return [];
  const table = call.kind === 'filter' ? FILTERS : call.kind === 'test' ? TESTS : FUNCTIONS;
  return (table.get(name)?.parameters ?? [])
    .filter(({ passed }) => passed === 'name' || passed === 'either')
    .map((parameter) => ({
      label: `${parameter.name}=`,
      kind: Kind.Property,
      detail: `of ${name}`,
      rank: Rank.demanded,
    }));
}

/** Returns the names of the skill's other templates. */
function templateNames({ file, offset }: Cursor): Proposal[] {
  const artifacts = file.body?.artifacts ?? [];
  const own = artifacts.find(({ span }) => span.start <= offset && offset < span.end)?.name;
  return artifacts
    .filter(({ kind, name }) => kind === 'PromptTemplate' && name !== own)
    .map(({ name }) => ({ label: name, kind: Kind.File, detail: 'PromptTemplate' }));
}

/** The maximum number of fields that are offered. */
const MAX_MEMBERS = 500;

const words = (text: string): readonly string[] => text.split(' ');

/** The filters for each kind of value, in order of frequency. */
const FITTING: ReadonlyMap<ValueKind, readonly string[]> = new Map<ValueKind, readonly string[]>([
  [
    'list',
    words(
      'join length first last sort map select selectattr reject rejectattr unique groupby batch slice sum min max reverse count chain tojson',
    ),
  ],
  [
    'string',
    words('upper lower title capitalize trim replace truncate indent split lines length default striptags escape'),
  ],
  ['number', words('round abs int float string pluralize filesizeformat')],
  ['map', words('items dictsort length tojson attr list')],
]);

/**
 * Returns all filters: first those for the type of the input, last those that refuse it. If a `for` loops over the
 * result, filters that return a list are before the other filters for the type.
 */
function filterProposals(input: ValueType | undefined, isLoopedOver: boolean): Proposal[] {
  const all = builtinProposals(FILTERS, Kind.Function);
  const type = input && without(input, 'undefined', 'null');
  if (!type || isAny(type) || type.label === 'the loop') return all;
  const kinds = [...type.kinds];
  const accepted = all.filter(({ label }) => !kinds.some((kind) => refusedBy('filter', label).has(kind)));
  const names = [...new Set(kinds.flatMap((kind) => FITTING.get(kind) ?? []))];
  const fitting = names.flatMap((name) => accepted.filter(({ label }) => label === name));
  const givesItems = ({ label }: Proposal) => label === 'map' || isOnly(resultOfFilter(label, type), 'list');
  const ordered = isLoopedOver
    ? [...fitting.filter(givesItems), ...fitting.filter((one) => !givesItems(one))]
    : fitting;
  return [
    ...ordered.map((one) => ({ ...one, rank: Rank.near })),
    ...accepted.filter((one) => !fitting.includes(one)).map((one) => ({ ...one, rank: Rank.rest })),
    ...all.filter((one) => !accepted.includes(one)).map((one) => ({ ...one, rank: Rank.doubtful })),
  ];
}

/** Returns the type of the value that a filter at an offset filters. The offset may be after spaces. */
function inputOfFilter(
  file: SkillFile,
  { kind, text, base }: Template | TemplateExpression,
  offset: number,
  input: FilterInput | undefined,
): ValueType | undefined {
  if (kind === 'template') {
    const before = text.slice(Math.max(0, offset - base - MAX_REST), offset - base);
    const spaces = before.length - before.trimEnd().length;
    const known = inputAt(file, offset) ?? inputAt(file, offset - spaces);
    if (known) return known;
  }
  return input && filteredValue(file, input);
}

/** Returns the type of a value after its filters; undefined if it is unknown. */
function filteredValue(
  file: SkillFile,
  { receiver, filters }: FilterInput,
  names?: ReadonlyMap<string, ValueType>,
): ValueType | undefined {
  const value = valueAt(file, receiver.name, receiver.variable, receiver.segments, names);
  return value && filters.reduce<ValueType>((type, filter) => resultOfFilter(filter, type), value);
}

interface Statement {
  readonly docs: string;
  /** The snippet that follows the keyword inside its tag. */
  readonly head: string;
  /** The name of the tag that closes the block. */
  readonly end?: string;
}

const STATEMENTS: ReadonlyMap<string, Statement> = new Map(
  Object.entries({
    if: { docs: 'Renders text if a condition is true.', head: ' ${1:condition}', end: 'endif' },
    for: { docs: 'Renders text for each item of a list.', head: ' ${1:item} in ${2:list}', end: 'endfor' },
    set: { docs: 'Assigns a value to a variable.', head: ' ${1:name} = ${2:value}' },
    include: { docs: 'Includes another PromptTemplate of the skill.', head: ' "$1"' },
    with: { docs: 'Sets variables for a block.', head: ' ${1:name} = ${2:value}', end: 'endwith' },
    macro: { docs: 'Defines reusable text with parameters.', head: ' ${1:name}($2)', end: 'endmacro' },
    call: { docs: 'Calls a macro with a block of text.', head: ' ${1:macro}($2)', end: 'endcall' },
    filter: { docs: 'Applies a filter to a block.', head: ' ${1:filter}', end: 'endfilter' },
    raw: { docs: 'Outputs text without rendering it.', head: '', end: 'endraw' },
    block: { docs: 'Defines text that an extending template can replace.', head: ' ${1:name}', end: 'endblock' },
    extends: { docs: 'Extends another template.', head: ' "$1"' },
    import: { docs: 'Imports all macros of another template under a name.', head: ' "$1" as ${2:name}' },
    from: { docs: 'Imports some macros of another template.', head: ' "$1" import ${2:name}' },
    do: { docs: 'Evaluates an expression without output.', head: ' $1' },
    autoescape: { docs: 'Turns escaping on or off in a block.', head: ' ${1|true,false|}', end: 'endautoescape' },
  }),
);

/** `word` is the span of the word at the cursor. The text after it in the tag determines how much is inserted. */
function statementProposals(template: Template, word: Span, open: readonly OpenBlock[]): Proposal[] {
  const slot = slotAt(template, word);
  const innermost = open.at(-1);
  return [
    ...(innermost ? endings(slot, innermost) : []),
    ...[...STATEMENTS].map(([label, { docs, head, end }], i) => {
      const block = end === undefined ? slot.close : `${slot.close}\n$0\n{% ${end} %}`;
      return proposal(slot, label, docs, i < 4 ? Rank.known : Rank.rest, head + block);
    }),
  ];
}

function endings(slot: Slot, { kind, name, allowsElse, allowsElif }: OpenBlock): Proposal[] {
  const what = [kind, name].filter(Boolean).join(' ');
  return [
    proposal(slot, `end${kind}`, `Closes \`${what}\`.`, Rank.demanded, slot.close),
    ...(allowsElse ? [proposal(slot, 'else', 'Renders text if no condition is true.', Rank.own, slot.close)] : []),
    ...(allowsElif
      ? [proposal(slot, 'elif', 'Tests another condition.', Rank.own, ` \${1:condition}${slot.close}`)]
      : []),
  ];
}

function proposal(slot: Slot, label: string, docs: string, rank: Rank, rest: string): Proposal {
  const common = { label, kind: Kind.Keyword, docs: trusted(docs), rank, span: slot.span };
  if (slot.isTaken) return { insert: slot.before + label, ...common };
  return { insert: slot.before + label + rest, isSnippet: true, ...common };
}

interface Slot {
  /** The replaced span: the word and the closing delimiter after it. */
  readonly span: Span;
  readonly before: '' | ' ';
  readonly close: string;
  /** True if more than a closing delimiter follows, so that only the word is inserted. */
  readonly isTaken: boolean;
}

/** The maximum length of the text after the word that is read, in UTF-16 code units. */
const MAX_REST = 200;

function slotAt({ text, base, tags }: Template, word: Span): Slot {
  const tag = tags.findLast((candidate) => candidate.span.start <= word.start && word.start <= candidate.span.end);
  const before = /[%+-]/.test(text[word.start - base - 1] ?? '') ? ' ' : '';
  const rest = text.slice(word.end - base, (tag?.span.end ?? word.end) - base);
  // An editor that closes brackets automatically may have inserted a `}` or the whole delimiter.
  const closer = rest.length < MAX_REST ? /^[ \t]*(?:([-+]?)%?\})?[ \t]*$/.exec(rest) : null;
  if (!closer) return { span: word, before, close: '', isTaken: true };
  const end = tag?.closed || rest.includes('}') ? word.end + rest.trimEnd().length : word.end;
  return { span: span(word.start, end), before, close: ` ${closer[1] ?? ''}%}`, isTaken: false };
}

/** Returns the variables of the template, then the parameters, then the variables that the composer defines. */
function variableProposals(
  file: SkillFile,
  visible: readonly Variable[],
  ambient: readonly AmbientVariable[],
  rankOf: Ranking,
): Proposal[] {
  const typeOf = (name: string) => valueAt(file, name, undefined, []);
  const own = visible.filter(({ name }) => name !== 'self' && name !== 'super');
  const fields = file.contract.input?.schema.fields ?? [];
  return [
    ...own.map((variable) => ownVariable(file, variable, rankOf)),
    ...fields.map(({ name, type, required, description }) => ({
      label: name,
      kind: Kind.Variable,
      detail: `${type}${required ? '' : ', optional'} (parameter)`,
      docs: describedBy(description),
      rank: rankOf(typeOf(name), Rank.near),
    })),
    ...ambient.map(({ name, type, docs }) => ({
      label: name,
      kind: Kind.Constant,
      detail: type,
      docs: trusted(docs),
      rank: rankOf(typeOf(name), Rank.known),
    })),
  ];
}

const DEFINITION_WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    set: 'set in the template',
    for: 'of the loop',
    with: 'of with',
    macro: 'macro',
    parameter: 'of the macro',
    import: 'imported',
    loop: 'the loop',
    caller: 'content of the call block',
  }),
);

function ownVariable(file: SkillFile, variable: Variable, rankOf: Ranking): Proposal {
  const kind = variable.definitions[0]?.kind ?? 'set';
  const isCode = kind === 'loop' || kind === 'macro' || kind === 'import';
  const value = isCode ? undefined : valueAt(file, variable.name, variable, []);
  const type = value && labelOf(value);
  const what = DEFINITION_WORDS.get(kind) ?? kind;
  return {
    label: variable.name,
    kind: kind === 'macro' || kind === 'caller' ? Kind.Function : Kind.Variable,
    detail: type ? `${type} (${what})` : what,
    rank: rankOf(value ?? (kind === 'macro' || kind === 'loop' ? CALLABLE : undefined), Rank.own),
  };
}

function memberProposals(type: ValueType): Proposal[] {
  if (type.label === 'the loop') {
    // A loop over the result of `split` has no length.
    const isKnown = (name: string): boolean => !isOnly(type.map?.field(name) ?? ANY, 'undefined');
    return builtinProposals(new Map([...LOOP_FIELDS].filter(([name]) => isKnown(name))), Kind.Field);
  }
  return [...(type.map?.names() ?? [])].slice(0, MAX_MEMBERS).map((name) => {
    const field = type.map?.field(name) ?? ANY;
    const isFunction = isOnly(field, 'callable');
    return {
      label: name,
      kind: isFunction ? Kind.Function : Kind.Field,
      detail: labelOf(field) + (hasKind(field, 'undefined') ? ', optional' : ''),
      docs: describedBy(field.docs),
    };
  });
}

/** Returns the values, with their quotes, that the other side of a comparison can have. */
function comparisonProposals(compared: ValueType | undefined): Proposal[] {
  const isBoolean = compared && isOnly(without(compared, 'undefined', 'null'), 'boolean');
  const constants = compared?.constants ?? (isBoolean ? [true, false] : []);
  return constants
    .filter((constant) => constant !== null)
    .map((constant) => ({ label: JSON.stringify(constant), kind: Kind.EnumMember, rank: Rank.demanded }));
}

/** Returns proposals for a table of filters, tests, functions or loop fields. */
function builtinProposals(table: ReadonlyMap<string, Builtin>, kind: Kind, rank: Rank = Rank.known): Proposal[] {
  return [...table.values()]
    .filter(({ name }) => /^\w+$/.test(name))
    .map((builtin) => ({
      label: builtin.name,
      kind,
      detail: builtin.signature,
      docs: () => describeBuiltin(trusted(WORDS[kind] ?? 'builtin'), builtin),
      rank,
      ...callOf(builtin),
    }));
}

const WORDS: { readonly [kind: number]: string } = { [Kind.Function]: 'built in', [Kind.Field]: 'loop field' };

/** Returns a snippet for the call with its required arguments. */
function callOf({ name, parameters }: Builtin): Partial<Proposal> {
  const needed = parameters.filter(({ optional }) => !optional);
  if (needed.length === 0) return {};
  const stops = needed.map((parameter, i) => `\${${i + 1}:${parameter.name}}`);
  return { insert: `${name}(${stops.join(', ')})`, isSnippet: true };
}

/**
 * Returns the operators after an operand, but only after a typed letter, because a space usually ends an expression.
 * After `for item` and after the name in an `include`, the only possible word is proposed immediately.
 */
function operatorProposals(before: string, prefix: string): Proposal[] {
  const tag = before.slice(Math.max(before.lastIndexOf('{%'), before.lastIndexOf('{{'), 0));
  const keyword = (label: string): Proposal => ({ label, kind: Kind.Keyword });
  if (/^\{%[-+]?\s*for\b/.test(tag) && !/\sin\s/.test(tag)) return [keyword('in')];
  if (/^\{%[-+]?\s*include\b/.test(tag)) return [keyword('ignore missing')];
  if (prefix === '') return [];
  return ['and', 'or', 'is', 'is not', 'in', 'not in', 'if', 'else'].map(keyword);
}
