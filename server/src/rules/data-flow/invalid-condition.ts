import type { Analysis } from '../../analysis/analysis.ts';
import { replaceName } from '../../analysis/name-fixes.ts';
import { checkedConditions } from '../../analysis/template-code.ts';
import type { Draft } from '../../finding.ts';
import { fixHere, placesHere } from '../../finding.ts';
import type { Binary, Expression, Literal } from '../../languages/minijinja/ast.ts';
import type { CheckedTemplate } from '../../languages/minijinja/types/check-types.ts';
import { type Kind, nounsOf, type ValueType } from '../../languages/minijinja/types/value-type.ts';
import { formatScalar } from '../../languages/yaml/edit.ts';
import { didYouMean, inWords, nearestNames } from '../../nearest.ts';
import { type Condition, inFile } from '../../skill/conditions.ts';
import { findSkillEntry } from '../../skill/contract.ts';
import {
  type ExecutionArm,
  type ExecutionNode,
  REFERENCE,
  readExecution,
  referencesInCondition,
} from '../../skill/execution/execution.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { type Span, span } from '../../text.ts';
import { draftOf, valueProblems } from '../any-file/shape-problems.ts';
import { type Rule, SKILLS } from '../engine/rule.ts';
import { adviceOnOutputs, removeCondition } from './conditions-without-outputs.ts';

const REFERENCE_AT = new RegExp(`^${REFERENCE.source}`);

/** A condition that is not an expression of the template language, or that compares values that are never equal. */
export const invalidCondition: Rule = {
  name: 'invalid-condition',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 5' },
  dialects: SKILLS,
  prevents: ['template', 'composition'],
  *check(file, analysis) {
    yield* constantComparisons(analysis, file);
    yield* repeatedConditions(file);
    for (const problem of valueProblems(file, 'invalid-condition')) yield draftOf(file, problem);
    for (const condition of file.conditions) {
      // One defect in a short string often causes several problems, so only the first is reported.
      const [problem] = condition.expression.problems;
      if (!problem) continue;
      const { scalar } = condition;
      const misread = inBraces(file, condition) ?? withDollar(file, condition, problem.span.start);
      if (misread) {
        yield misread;
        continue;
      }
      const placeOf = (own: Span) => inFile(file.text, condition, own);
      yield {
        span: placeOf(problem.span),
        message: problem.message,
        related: problem.related.map(({ span, message }) => ({ uri: file.uri, span: placeOf(span), message })),
        fixes:
          problem.fix && scalar.style === 'plain'
            ? fixHere(file, problem.fix.title, [{ ...problem.fix.edit, span: placeOf(problem.fix.edit.span) }])
            : [],
      };
    }
  },
};

/** Returns the finding for a condition with the braces of a template. */
function inBraces(file: SkillFile, { scalar }: Condition): Draft | undefined {
  const source = String(scalar.value);
  const expression = source.replace(/\{\{([^{}]*)\}\}/g, (_, inner: string) => inner.trim());
  if (expression === source || /\{[{%]/.test(expression)) return undefined;
  const edits = [{ span: scalar.span, newText: formatScalar(expression) }];
  return {
    span: scalar.span,
    message: 'A condition is an expression without `{{` and `}}`. Remove the braces.',
    fixes: fixHere(file, 'Remove the braces', edits, true),
  };
}

/** Returns the finding for the reference at an offset of a condition, such as `$input.x` where inputs have their names. */
function withDollar(file: SkillFile, condition: Condition, at: number): Draft | undefined {
  const source = String(condition.scalar.value);
  const placeOf = (start: number, end: number) => inFile(file.text, condition, span(start, end));
  if (condition.place === 'execution') {
    const [whole, inner] = /^\$\{([\w.-]+)\}/.exec(source.slice(at)) ?? [];
    if (whole === undefined || inner === undefined) return undefined;
    const place = placeOf(at, at + whole.length);
    return {
      span: place,
      message: `A reference has no braces. Write \`$${inner}\`.`,
      fixes: replaceName(file, [place], [`$${inner}`]),
    };
  }
  const [reference] = REFERENCE_AT.exec(source.slice(at)) ?? [];
  if (reference === undefined) return undefined;
  const names = new Set(file.contract.input?.schema.fields.map(({ name }) => name));
  const found = referencesInCondition(source).map((one) => ({ ...one, right: inputMeant(one, names) }));
  const first = found.find(({ index }) => index === at);
  const others = found.filter(({ right }) => right !== undefined);
  const edits = others.map(({ index, whole, right = whole }) => ({
    span: placeOf(index, index + whole.length),
    newText: right,
  }));
  const isWhole = others.length === found.length;
  const outputs = first?.right === undefined ? ` ${adviceOnOutputs(condition)}` : didYouMean([first.right]);
  const title =
    edits.length === 1 ? `Replace with \`${first?.right}\`` : 'Replace the references with the names of inputs';
  return {
    span: placeOf(at, at + reference.length),
    message: `Only conditions of steps can use references such as \`${reference}\`.${outputs}`,
    fixes: isWhole ? fixHere(file, title, edits) : removeCondition(file, condition),
  };
}

/** Returns the input that a reference means where inputs have their names; undefined for a step. */
function inputMeant(
  { source, rest }: { readonly source: string; readonly rest: string },
  names: ReadonlySet<string>,
): string | undefined {
  if (/^inputs?$/.test(source)) return rest === '' ? undefined : rest.slice(1);
  return names.has(source) ? source + rest : undefined;
}

// Comparisons whose result does not depend on the values (docs/format.md, section 5).

const COMPARISONS: readonly string[] = ['==', '!=', '<', '<=', '>', '>='];

function* constantComparisons(analysis: Analysis, file: SkillFile): Iterable<Draft> {
  for (const [at, checked] of checkedConditions(analysis, file).entries()) {
    const condition = file.conditions[at];
    if (!condition || !checked || condition.expression.problems.length > 0) continue;
    for (const comparison of comparisonsIn(condition.expression.expression)) {
      const draft = constantComparison(file, condition, checked, comparison);
      if (draft) yield draft;
    }
  }
}

/** Returns the comparisons of two values that are not comparisons themselves, in the order of the expression. */
function comparisonsIn(root: Expression): readonly Binary[] {
  const found: Binary[] = [];
  // The stack replaces recursion, because a long expression is a deep tree.
  const pending: unknown[] = [root];
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    if (typeof part !== 'object' || part === null) continue;
    if (isComparison(part) && !isComparison(part.left) && !isComparison(part.right)) found.push(part);
    for (const [key, inner] of Object.entries(part)) if (key !== 'span') pending.push(inner);
  }
  return found.sort((a, b) => a.span.start - b.span.start);
}

const isComparison = (part: object): part is Binary =>
  (part as Partial<Binary>).kind === 'binary' && COMPARISONS.includes((part as Binary).operator);

function constantComparison(
  file: SkillFile,
  condition: Condition,
  { typeAt }: CheckedTemplate,
  { operator, left, right, span: place }: Binary,
): Draft | undefined {
  const text = (side: Expression): string => String(condition.scalar.value).slice(side.span.start, side.span.end);
  // The data flow reports a reference to a step without its output.
  if ([left, right].some((side) => side.kind === 'name' && /^\$(?!input$)/.test(text(side)))) return undefined;
  const quoted = quotedReference(file, condition, left) ?? quotedReference(file, condition, right);
  if (quoted) return quoted;
  const types = [typeAt(left.span), typeAt(right.span)];
  const [one, other] = types.map(kindsOf);
  if (!one || !other) return undefined;
  const groups = new Set(other.map(groupOf));
  if (!one.some((kind) => groups.has(groupOf(kind)))) {
    const result = operator === '==' ? 'always false' : operator === '!=' ? 'always true' : 'meaningless';
    const unquoted = unquotedLiteral(left, other) ?? unquotedLiteral(right, one);
    return {
      severity: 'warning',
      span: inFile(file.text, condition, place),
      message: `This comparison is ${result}: it compares ${nounsOf(one)} with ${nounsOf(other)}.`,
      fixes: unquoted ? removeQuotes(file, condition, unquoted) : [],
    };
  }
  if (operator !== '==' && operator !== '!=') return undefined;
  for (const [literal, value, type] of [
    [left, right, types[1]],
    [right, left, types[0]],
  ] as const) {
    const known = stringsOf(type);
    if (literal.kind !== 'literal' || typeof literal.value !== 'string' || !known || known.includes(literal.value))
      continue;
    const near = nearestNames(literal.value, known);
    const span = inFile(file.text, condition, literal.span);
    return {
      severity: 'warning',
      span,
      message: `\`${text(value)}\` is never \`${literal.value}\`.${didYouMean(near) || ` Use ${inWords(known.slice(0, 8), 'or')}.`}`,
      fixes: condition.scalar.style === 'plain' ? replaceName(file, [span], near) : [],
    };
  }
  return undefined;
}

/** Returns the finding for a string that is a reference to an input or to the output of a step. */
function quotedReference(file: SkillFile, condition: Condition, side: Expression): Draft | undefined {
  if (condition.place !== 'execution' || side.kind !== 'literal' || typeof side.value !== 'string') return undefined;
  const [whole, source = '', path = ''] = REFERENCE_AT.exec(side.value) ?? [];
  const isKnown =
    source === 'input'
      ? path !== ''
      : path.startsWith('.output') && file.contract.composes.some(({ step }) => step === source);
  if (whole !== side.value || !isKnown) return undefined;
  const span = inFile(file.text, condition, side.span);
  return {
    severity: 'warning',
    span,
    message: `Text in quotes is not a reference, so this compares the text \`${whole}\` itself. Remove the quotes.`,
    fixes: condition.scalar.style === 'plain' ? fixHere(file, 'Remove the quotes', [{ span, newText: whole }]) : [],
  };
}

/** Reports arms of branches with the condition of an earlier arm. Only the first arm whose condition is true runs. */
function* repeatedConditions(file: SkillFile): Iterable<Draft> {
  const execution = findSkillEntry(file.frontmatter.tree.root, 'execution')?.value;
  for (const arms of execution ? branchesIn(readExecution(file.text, execution)) : []) {
    const seen = new Map<string, Span>();
    for (const { condition } of arms) {
      if (!condition) continue;
      const source = condition.source.replace(/\s+/g, ' ');
      const before = seen.get(source);
      if (!before) seen.set(source, condition.span);
      else {
        yield {
          severity: 'warning',
          span: condition.span,
          message:
            'This arm never runs, because an earlier arm has the same condition. Change the condition, or remove the arm.',
          related: placesHere(file, [{ span: before }], 'The same condition'),
          tag: 'unnecessary',
        };
      }
    }
  }
}

/** Returns the arms of each branch, at any depth. */
const branchesIn = (nodes: readonly ExecutionNode[]): readonly (readonly ExecutionArm[])[] =>
  nodes.flatMap((node) => {
    if (node.kind === 'step') return [];
    if (node.kind !== 'branch') return branchesIn(node.steps);
    return [node.arms, ...node.arms.flatMap(({ steps }) => branchesIn(steps))];
  });

/** Returns the literal if it is a string with a number or a boolean that `kinds` contain. */
function unquotedLiteral(side: Expression, kinds: readonly Kind[]): Literal | undefined {
  if (side.kind !== 'literal' || typeof side.value !== 'string') return undefined;
  const kind = /^(?:true|false)$/.test(side.value)
    ? 'boolean'
    : /^-?\d+(?:\.\d+)?$/.test(side.value)
      ? 'number'
      : 'string';
  return kinds.includes(kind) ? side : undefined;
}

const removeQuotes = (file: SkillFile, condition: Condition, { span, value }: Literal) =>
  fixHere(file, `Replace with \`${value}\``, [{ span: inFile(file.text, condition, span), newText: String(value) }]);

/** Returns the kinds of a defined value; undefined if they are not known. */
function kindsOf(type: ValueType | undefined): readonly Kind[] | undefined {
  const kinds = [...(type?.kinds ?? [])].filter((kind) => kind !== 'undefined');
  const isKnown = kinds.every((kind) => kind !== 'any' && kind !== 'null' && kind !== 'callable');
  return isKnown && kinds.length > 0 ? kinds : undefined;
}

/** MiniJinja compares booleans as numbers. */
const groupOf = (kind: Kind): Kind => (kind === 'boolean' ? 'number' : kind);

/** Returns the strings that a value can be, if it can only be certain strings. */
function stringsOf(type: ValueType | undefined): readonly string[] | undefined {
  const kinds = [...(type?.kinds ?? [])].filter((kind) => kind !== 'undefined');
  const { constants = [] } = type ?? {};
  if (constants.length === 0 || kinds.length !== 1 || kinds[0] !== 'string') return undefined;
  const strings = constants.filter((constant) => typeof constant === 'string');
  return strings.length === constants.length ? strings : undefined;
}
