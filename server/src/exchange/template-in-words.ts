/** Converts a template to plain text: values in braces, conditions and loops in words. */
import { codeSpan } from '../languages/markdown/code-fences.ts';
import type { AssignmentTarget, Binary, Body, Expression, Node, Template } from '../languages/minijinja/ast.ts';
import { pathOf } from '../languages/minijinja/defined-names.ts';
import { parseExpression, parseTemplate } from '../languages/minijinja/parser.ts';

export interface PlainTemplate {
  readonly text: string;
  /** The statements that cannot be written in words; the text contains them unchanged. */
  readonly left: readonly string[];
}

const MAX_INCLUDES = 10;

/** Converts a template to plain text. `findTemplate` returns the source of another template in the skill. */
export function templateInWords(source: string, findTemplate: (name: string) => string | undefined): PlainTemplate {
  const left: string[] = [];
  const text = new Writer(findTemplate, left).template(source, 0);
  return {
    text: text
      .replace(/[ \t]+$/gm, '')
      .replace(/\n{3,}/g, '\n\n')
      .trim(),
    left,
  };
}

class Writer {
  readonly #find: (name: string) => string | undefined;
  readonly #left: string[];

  constructor(find: (name: string) => string | undefined, left: string[]) {
    this.#find = find;
    this.#left = left;
  }

  template(source: string, includes: number): string {
    const template = parseTemplate(source);
    if (template.problems.length > 0) {
      this.#left.push('a template that does not parse');
      return source;
    }
    return this.#nodes(template.nodes, template, includes);
  }

  #nodes(nodes: readonly Node[], template: Template, includes: number): string {
    let text = '';
    for (const node of nodes) {
      const isLineStart = text === '' || /\n[ \t]*$/.test(text);
      text += this.#node(node, template, { includes, isLineStart });
    }
    return text;
  }

  #node(node: Node, template: Template, at: { includes: number; isLineStart: boolean }): string {
    const slice = template.text.slice(node.span.start, node.span.end);
    const body = ({ nodes }: Body): string => this.#nodes(nodes, template, at.includes);
    switch (node.kind) {
      case 'text':
        return slice;
      case 'comment':
        return '';
      case 'output':
        return outputOf(node.value, template.text);
      case 'if': {
        const arms = node.branches.map((branch, index) => {
          const condition = conditionOf(branch.condition, template.text);
          return { lead: `${index === 0 ? 'If' : 'Otherwise, if'} ${condition}`, text: body(branch.body) };
        });
        const last = node.otherwise ? [{ lead: 'Otherwise', text: body(node.otherwise) }] : [];
        const [first] = arms;
        // If only the `else` branch has text, the condition is negated.
        if (arms.length === 1 && first?.text.trim() === '' && last[0]) {
          return arranged([{ ...last[0], lead: first.lead.replace(/^If/, 'Unless') }], at.isLineStart);
        }
        return arranged([...arms, ...last], at.isLineStart);
      }
      case 'for': {
        const target = targetText(node.target);
        const each = { lead: `For each ${target} of ${itemsOf(node.iterable, template.text)}`, text: body(node.body) };
        const none = node.otherwise ? [{ lead: 'If there is none', text: body(node.otherwise) }] : [];
        return arranged([each, ...none], at.isLineStart);
      }
      case 'include': {
        const name = node.template.kind === 'literal' ? String(node.template.value) : undefined;
        const source = name === undefined || at.includes >= MAX_INCLUDES ? undefined : this.#find(name);
        if (source !== undefined) return this.template(source, at.includes + 1);
        break;
      }
      case 'autoescape':
      case 'filter-block':
      case 'block':
        return body(node.body);
      case 'set':
        return `[${targetText(node.target)} means ${outputOf(node.value, template.text)}]`;
      default:
    }
    this.#left.push(`\`${node.kind}\``);
    return slice;
  }
}

const targetText = (target: AssignmentTarget): string => {
  if (target.kind === 'name') return codeSpan(target.name);
  return target.kind === 'targets' ? target.items.map(targetText).join(', ') : 'value';
};

/**
 * Returns each part as a block quote below its `lead`, or in brackets if the part is within a line. Omits empty parts.
 */
function arranged(all: readonly { readonly lead: string; readonly text: string }[], isLineStart: boolean): string {
  const parts = all.filter(({ text }) => text.trim() !== '');
  if (parts.length === 0) return '';
  const isBlock = isLineStart || parts.some(({ text }) => text.trim().includes('\n'));
  if (!isBlock) return inBrackets(parts.map(({ lead, text }) => ({ lead: lower(lead), text })));
  const blocks = parts.map(({ lead, text }) => {
    const quoted = text
      .trim()
      .replace(/\n{3,}/g, '\n\n')
      .split('\n')
      .map((line) => `> ${line}`.trimEnd());
    return `${lead}:\n\n${quoted.join('\n')}`;
  });
  return `\n${blocks.join('\n\n')}\n\n`;
}

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

// Conditions and values of a template in words.

/** Filters that only change the format of a value. */
const FORMAT_FILTERS: ReadonlySet<string> = new Set(
  'title upper lower capitalize trim indent tojson string safe escape e join list sort wordwrap'.split(' '),
);

const COUNTS: ReadonlySet<string> = new Set(['length', 'count']);

const MAX_DEPTH = 40;

/** Converts a condition from the YAML to words; returns it unchanged, as code, if it does not parse. */
export function conditionInWords(source: string): string {
  const parsed = parseExpression(source);
  return parsed.problems.length > 0 ? codeSpan(source) : conditionOf(parsed.expression, source);
}

/** Returns a condition in words. The spans of `expression` are offsets in `text`. */
function conditionOf(expression: Expression, text: string, depth = 0): string {
  const inner = (part: Expression): string => conditionOf(part, text, depth + 1);
  if (depth > MAX_DEPTH) return asWritten(expression, text);
  switch (expression.kind) {
    case 'unary':
      if (expression.operator !== 'not') return asWritten(expression, text);
      return isPath(expression.operand)
        ? pathIs(expression.operand, text, 'not ')
        : `not (${inner(expression.operand)})`;
    case 'binary':
      return comparisonOf(expression, text, inner);
    case 'test': {
      const verb = expression.negated ? 'is not' : 'is';
      const name = expression.name.text === 'defined' ? 'given' : expression.name.text;
      return expression.args.length > 0
        ? asWritten(expression, text)
        : `${valueText(expression.input, text)} ${verb} ${name}`;
    }
    case 'name':
    case 'attribute':
    case 'item':
      return pathIs(expression, text, '');
    default:
      return asWritten(expression, text);
  }
}

const isPath = ({ kind }: Expression): boolean => kind === 'name' || kind === 'attribute' || kind === 'item';

/**
 * Returns a path as a condition in words. `loop.first` and `loop.last` have special wording; other paths read "is true"
 * or "is not true".
 */
function pathIs(expression: Expression, text: string, negation: '' | 'not '): string {
  const path = pathInWords(expression);
  if (path === 'loop.first') return `it is ${negation}the first`;
  return path === 'loop.last' ? `it is ${negation}the last` : `${valueText(expression, text)} is ${negation}true`;
}

const WORDS: ReadonlyMap<string, string> = new Map([
  ['==', 'is'],
  ['!=', 'is not'],
  ['<', 'is below'],
  ['<=', 'is at most'],
  ['>', 'is above'],
  ['>=', 'is at least'],
  ['in', 'is one of'],
  ['not in', 'is none of'],
]);

function comparisonOf(expression: Binary, text: string, inner: (part: Expression) => string): string {
  const { operator, left, right } = expression;
  if (operator === 'and' || operator === 'or') return `${inner(left)} ${operator} ${inner(right)}`;
  const word = WORDS.get(operator);
  // `'a' in text` tests whether `text` contains a string.
  const isContained = (operator === 'in' || operator === 'not in') && left.kind === 'literal';
  if (isContained)
    return `${valueText(right, text)} ${operator === 'in' ? 'has' : 'does not have'} ${valueText(left, text)}`;
  return word === undefined
    ? asWritten(expression, text)
    : `${valueText(left, text)} ${word} ${valueText(right, text)}`;
}

/** A value within a condition. */
function valueText(expression: Expression, text: string): string {
  if (expression.kind === 'literal') {
    const { value } = expression;
    return typeof value === 'string' ? codeSpan(value || '""') : String(value);
  }
  if (expression.kind === 'list' || expression.kind === 'tuple') {
    return expression.items.map((item) => valueText(item, text)).join(', ');
  }
  if (expression.kind === 'filter' && expression.input && COUNTS.has(expression.name.text)) {
    return `the number of ${valueText(expression.input, text)}`;
  }
  const path = pathInWords(expression);
  return path === undefined ? asWritten(expression, text) : codeSpan(path);
}

const asWritten = ({ span }: Expression, text: string): string =>
  codeSpan(text.slice(span.start, span.end).replace(/\s+/g, ' '));

function pathInWords(expression: Expression): string | undefined {
  const { base, segments } = pathOf(expression);
  if (base.kind !== 'name' || segments.some(({ called }) => called)) return undefined;
  return [base.name, ...segments.map(({ name }) => name)].join('.');
}

/** Returns the output of `{{ … }}`: a string as it is, a value as a placeholder in braces. */
function outputOf(expression: Expression, text: string, depth = 0): string {
  if (depth > MAX_DEPTH) return placeholder(text.slice(expression.span.start, expression.span.end));
  const inner = (part: Expression): string => outputOf(part, text, depth + 1);
  if (expression.kind === 'literal') return String(expression.value);
  if (expression.kind === 'conditional') {
    const condition = conditionOf(expression.condition, text);
    const [value, otherwise] = [inner(expression.value), expression.otherwise ? inner(expression.otherwise) : ''];
    if (value.trim() === '') return inBrackets([{ lead: `unless ${condition}`, text: otherwise }]);
    return inBrackets([
      { lead: `if ${condition}`, text: value },
      { lead: 'otherwise', text: otherwise },
    ]);
  }
  if (expression.kind === 'binary' && expression.operator === '~')
    return inner(expression.left) + inner(expression.right);
  if (expression.kind === 'filter' && expression.input) {
    const { name, input, args } = expression;
    if (FORMAT_FILTERS.has(name.text)) return inner(input);
    if (COUNTS.has(name.text)) return `[the number of ${plain(inner(input))}]`;
    if (name.text === 'first' || name.text === 'last') return `[the ${name.text} of ${plain(inner(input))}]`;
    const [first] = args;
    if ((name.text === 'default' || name.text === 'd') && first) {
      return placeholder(`${plain(inner(input))}, else ${plain(inner(first.value))}`);
    }
  }
  const path = pathInWords(expression);
  if (path === 'loop.index' || path === 'loop.index0') return '{number}';
  return placeholder(path ?? text.slice(expression.span.start, expression.span.end).replace(/\s+/g, ' '));
}

/** Returns conditional text within a line, in brackets. A plural ending gets parentheses instead, as in "line(s)". */
function inBrackets(all: readonly { readonly lead: string; readonly text: string }[]): string {
  const parts = all.filter(({ text }) => text.trim() !== '');
  const [first] = parts;
  if (!first) return '';
  if (parts.length === 1 && /^e?s$/.test(first.text)) return `(${first.text})`;
  const [before = '', after = ''] = [/^[ \t]*/.exec(first.text)?.[0], /[ \t]*$/.exec(first.text)?.[0]];
  return `${before}[${parts.map(({ lead, text }) => `${lead}: ${text.trim()}`).join('; ')}]${after}`;
}

/** Returns the items of a loop in words, with their grouping if the loop has a `groupby` filter. */
function itemsOf(expression: Expression, text: string): string {
  const isGroups = expression.kind === 'filter' && expression.name.text === 'groupby' && expression.input;
  const [key] = isGroups ? expression.args : [];
  if (isGroups && key?.value.kind === 'literal')
    return `${itemsOf(isGroups, text)}, grouped by ${codeSpan(String(key.value.value))}`;
  return outputOf(expression, text).replace(/^\{(.*)\}$/s, '`$1`');
}

const placeholder = (text: string): string => (text.startsWith('{') ? codeSpan(text) : `{${text}}`);

const plain = (text: string): string => text.replace(/^\{(.*)\}$/s, '$1');
