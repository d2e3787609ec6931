/** Infers the type of each expression in a template, and reports values that the engine refuses. */
import { didYouMean, nearestNames } from '../../../nearest.ts';
import { type Span, span } from '../../../text.ts';
import type { Argument, Call, Expression, FilterCall, Macro, Name, TestCall } from '../ast.ts';
import { FILTERS, FUNCTIONS } from '../builtins.ts';
import { argumentProblem, refusedBy, resultOfFilter, resultOfOperator } from './builtin-types.ts';
import { type Environment, factsOf } from './environment.ts';
import { absenceProblem, nameSpan, type TypeProblem } from './problems.ts';
import {
  type Absence,
  ANY,
  BOOLEAN,
  hasKind,
  isAny,
  isOnly,
  itemOf,
  itemsOf,
  type Kind,
  listOf,
  mapOf,
  NULL,
  NUMBER,
  nounsOf,
  orUndefined,
  readAt,
  STRING,
  tupleOf,
  undefinedFor,
  unionOf,
  type ValueType,
  without,
} from './value-type.ts';

/** What the inference needs from its template. */
export interface TypeSink {
  readonly textOf: (span: Span) => string;
  readonly report: (problem: TypeProblem) => void;
  /** Receives the type of every expression. */
  readonly note: (expression: Expression, type: ValueType) => void;
  /** Receives the type of the value before the name of a field or of a filter, which begins at an offset. */
  readonly noteInput: (offset: number, type: ValueType) => void;
  /** Receives the types of the arguments of a macro call, by parameter; undefined for a parameter without argument. */
  readonly called: (macro: Macro, args: ReadonlyMap<string, ValueType> | undefined) => void;
  /** The attributes of namespaces that any template sets. */
  readonly assigned: ReadonlySet<string>;
}

/** How a value is used. `strict` fails for an undefined value, `lenient` does not, and `guard` tests the value. */
type Use = 'strict' | 'lenient' | 'guard';

/** The longest path that facts describe. */
const MAX_PATH = 16;
/** The largest list whose items are typed one by one. */
const MAX_TUPLE = 50;
/** The length of the text that is shortened for a message, in UTF-16 code units. */
const MAX_TEXT = 200;
/** The depth of nested expressions, above the limit of the parser. */
const MAX_DEPTH = 400;

/** Infers types in one environment after another. `isConditional` is true in code that does not always run. */
export class ExpressionTypes {
  readonly #sink: TypeSink;
  #depth = 0;
  /** The number of enclosing parts that do not always run. */
  conditions = 0;
  /** The expression of the current output tag, to which a fix can add a condition. */
  output: Expression | undefined;

  constructor(sink: TypeSink) {
    this.#sink = sink;
  }

  /** Returns the type of a value that must be defined. */
  strict(expression: Expression, environment: Environment): ValueType {
    return this.use(this.typeOf(expression, environment), 'strict', expression);
  }

  /** Calls `inside`, whose code does not always run. */
  sometimes<Result>(inside: () => Result): Result {
    this.conditions++;
    const result = inside();
    this.conditions--;
    return result;
  }

  /** Returns the type of an expression, which may include `undefined`. */
  typeOf(expression: Expression, environment: Environment): ValueType {
    if (++this.#depth > MAX_DEPTH) {
      this.#depth--;
      return ANY;
    }
    // A chain of operators is a deep tree on its left side, which is walked without recursion.
    const chain: Expression[] = [];
    let part = expression;
    for (let inner = operandOf(part); inner !== undefined; inner = operandOf(part)) {
      chain.push(part);
      part = inner;
    }
    let type = this.#typeOfLeaf(part, environment);
    let path: readonly string[] | undefined = part.kind === 'name' ? [part.name] : undefined;
    this.#sink.note(part, type);
    for (const outer of chain.reverse()) {
      type = this.#typeOfStep(outer, type, environment);
      const step = path && path.length <= MAX_PATH ? stepOf(outer) : undefined;
      path = path && step !== undefined ? [...path, step] : undefined;
      if (path) type = environment.narrowed(path[0] ?? '', path.join('\0'), type);
      this.#sink.note(outer, type);
    }
    this.#depth--;
    return type;
  }

  /** Reports an undefined value where it is used, and returns the type of the defined value. */
  use(type: ValueType, use: Use, user?: Expression): ValueType {
    const absence = type.absence?.expression ? type.absence : undefined;
    if (use === 'guard' || !hasKind(type, 'undefined') || !absence)
      return use === 'guard' ? type : without(type, 'undefined');
    const isAlways = isOnly(type, 'undefined');
    const isField = absence.reason === 'missing' || absence.reason === 'no-fields';
    // A filter or an operator that accepts undefined values is a warning only for a field that is never defined.
    if (use === 'strict' || (isAlways && isField)) {
      const located = { ...absence, expression: absence.expression as Expression };
      const place = { isAlways, isStrict: use === 'strict', user, output: this.output };
      this.report(absenceProblem(located, place, (part) => this.textOf(part)));
    }
    return without(type, 'undefined');
  }

  report(problem: TypeProblem): void {
    this.#sink.report(problem);
  }

  /** Reports a value of a kind that is refused. The message is certain if all kinds are refused. */
  refuse(
    type: ValueType,
    refused: ReadonlySet<Kind>,
    at: Span,
    message: (nouns: string, isCertain: boolean) => string,
  ) {
    const found = [...type.kinds].filter((kind) => kind !== 'undefined' && refused.has(kind));
    if (found.length === 0) return;
    const isAlways = [...type.kinds].every((kind) => refused.has(kind));
    this.report({
      kind: 'refused-value',
      span: at,
      isCertain: isAlways && this.conditions === 0,
      message: message(nounsOf(found), isAlways),
      fixes: [],
    });
  }

  textOf({ span: place }: { readonly span: Span }): string {
    const text = this.#sink.textOf(place).slice(0, MAX_TEXT).replace(/\s+/g, ' ').trim();
    return text.length > 40 ? `${text.slice(0, 39)}…` : text;
  }

  #typeOfLeaf(expression: Expression, environment: Environment): ValueType {
    switch (expression.kind) {
      case 'name':
        return readAt(environment.typeOf(expression.name) ?? ANY, expression);
      case 'literal': {
        const { value } = expression;
        if (value === null) return NULL;
        return typeof value === 'string' ? STRING : typeof value === 'number' ? NUMBER : BOOLEAN;
      }
      case 'list':
      case 'tuple': {
        const types = expression.items.map((item) => this.typeOf(item, environment));
        return types.length > MAX_TUPLE ? listOf(() => unionOf(types)) : tupleOf(types.map((type) => () => type));
      }
      case 'dict': {
        const entries = expression.entries.map(({ key, value }) => {
          this.typeOf(key, environment);
          const type = this.typeOf(value, environment);
          return { name: key.kind === 'literal' ? key.value : undefined, type };
        });
        const fields = entries.flatMap(({ name, type }) =>
          typeof name === 'string' ? [[name, () => type] as const] : [],
        );
        return mapOf(new Map(fields), fields.length < entries.length);
      }
      case 'binary':
        return this.#typeOfLogic(expression, environment);
      case 'conditional':
        return this.#typeOfConditional(expression, environment);
      case 'filter':
        return this.#filtered(expression, STRING, environment);
      case 'call':
        return this.#typeOfCall(expression, environment);
      default:
        return ANY;
    }
  }

  #typeOfStep(expression: Expression, operand: ValueType, environment: Environment): ValueType {
    switch (expression.kind) {
      case 'attribute': {
        const receiver = this.use(operand, 'strict', expression);
        return this.member(receiver, expression.name.text, expression);
      }
      case 'item':
        return this.#itemAt(expression, this.use(operand, 'strict', expression), environment);
      case 'slice': {
        const sliced = this.use(operand, 'strict', expression);
        for (const part of [expression.start, expression.stop, expression.step]) {
          if (part) this.use(this.typeOf(part, environment), 'lenient');
        }
        this.refuse(sliced, NOT_SLICED, expression.receiver.span, (nouns, isAlways) =>
          this.#isWords(expression.receiver, nouns, isAlways, 'cannot be sliced'),
        );
        return isAny(sliced)
          ? ANY
          : hasKind(sliced, 'list')
            ? isOnly(sliced, 'list')
              ? itemsOf(sliced)
              : ANY
            : STRING;
      }
      case 'unary': {
        if (expression.operator === 'not') return BOOLEAN;
        const negated = this.use(operand, 'strict', expression);
        this.refuse(negated, NOT_NEGATED, expression.operand.span, (nouns, isAlways) =>
          this.#isWords(expression.operand, nouns, isAlways, 'cannot be negated'),
        );
        return NUMBER;
      }
      case 'binary':
        return this.#operated(expression, operand, environment);
      case 'filter':
        return this.#filtered(expression, operand, environment);
      case 'test':
        return this.#tested(expression, operand, environment);
      case 'call':
        return this.#methodResult(expression, operand, environment);
      default:
        return ANY;
    }
  }

  #isWords(expression: Expression, nouns: string, isAlways: boolean, fault: string): string {
    const text = this.textOf(expression);
    return `\`${text}\` ${isAlways ? 'is' : 'may be'} ${nouns} and ${isAlways ? '' : 'then '}${fault}.`;
  }

  // Fields and items.

  /** Returns the type of a field of a defined receiver. */
  member(receiver: ValueType, name: string, expression: Expression): ValueType {
    this.#sink.noteInput(nameSpan(expression).start, receiver);
    if (name === '' || isAny(receiver)) return ANY;
    const found: ValueType[] = [];
    const lost: Kind[] = [];
    for (const kind of receiver.kinds) {
      const map = kind === 'map' || kind === 'list' ? receiver.map : undefined;
      const field = map?.field(name);
      if (field) found.push(readAt(field, expression));
      else if (kind === 'map' && (!map || map.isOpen)) found.push(map?.rest?.() ?? ANY);
      else if (kind === 'callable') found.push(ANY);
      else lost.push(kind);
    }
    if (lost.length === 0) return unionOf(found);
    const isNull = lost.every((kind) => kind === 'null');
    const isMissing = lost.includes('map') || (lost.includes('list') && receiver.map !== undefined);
    const absence: Absence = {
      reason: isMissing ? 'missing' : isNull && found.length > 0 ? 'null' : 'no-fields',
      expression,
      receiver,
      name,
    };
    return found.length === 0 ? undefinedFor(absence) : orUndefined(unionOf(found), absence);
  }

  #itemAt(expression: Expression & { kind: 'item' }, receiver: ValueType, environment: Environment): ValueType {
    const { index } = expression;
    this.use(this.typeOf(index, environment), 'lenient');
    if (isAny(receiver)) return ANY;
    if (index.kind === 'literal' && typeof index.value === 'string')
      return this.member(receiver, index.value, expression);
    if (isOnly(receiver, 'boolean', 'number'))
      return undefinedFor({ reason: 'no-fields', expression, receiver, name: '' });
    if (hasKind(receiver, 'map')) return isOnly(receiver, 'map') ? (receiver.map?.rest?.() ?? ANY) : ANY;
    const position =
      index.kind === 'literal' && typeof index.value === 'number' ? receiver.list?.tuple?.at(index.value) : undefined;
    const defined = position?.() ?? itemOf(without(receiver, 'null'));
    if (!hasKind(receiver, 'null')) return defined;
    return orUndefined(defined, { reason: 'null', expression, receiver, name: this.textOf(index) });
  }

  // Operators.

  #typeOfLogic(expression: Expression & { kind: 'binary' }, environment: Environment): ValueType {
    const { operator } = expression;
    const operands = [expression.right];
    let { left } = expression;
    for (; left.kind === 'binary' && left.operator === operator; left = left.left) operands.push(left.right);
    operands.push(left);
    const types: ValueType[] = [];
    const inner = environment.with();
    const before = this.conditions;
    for (const [position, operand] of operands.reverse().entries()) {
      const isLast = position === operands.length - 1;
      const type = this.typeOf(operand, inner);
      if (!isLast) this.use(type, 'strict', operand);
      types.push(isLast ? type : operator === 'or' ? without(type, 'undefined', 'null') : without(type, 'undefined'));
      for (const fact of isLast ? [] : factsOf(operand, operator === 'and')) inner.prove(fact);
      this.conditions = before + 1;
    }
    this.conditions = before;
    return unionOf(types);
  }

  #typeOfConditional(expression: Expression & { kind: 'conditional' }, environment: Environment): ValueType {
    const { condition, value, otherwise } = expression;
    this.strict(condition, environment);
    return this.sometimes(() => {
      const yes = this.typeOf(value, environment.with(factsOf(condition, true)));
      if (!otherwise) return ANY;
      return unionOf([yes, this.typeOf(otherwise, environment.with(factsOf(condition, false)))]);
    });
  }

  #operated(expression: Expression & { kind: 'binary' }, operand: ValueType, environment: Environment): ValueType {
    const { operator, left, right } = expression;
    const isArithmetic = ['+', '-', '*', '/', '//', '%', '**'].includes(operator);
    const isContainment = operator === 'in' || operator === 'not in';
    const first = this.use(operand, isArithmetic ? 'strict' : 'lenient', left);
    const second = this.use(
      this.typeOf(right, environment),
      isArithmetic || isContainment ? 'strict' : 'lenient',
      right,
    );
    const { type, refused } = resultOfOperator(operator, first, second);
    if (refused === 'never') return type;
    const isAlways = refused === 'always';
    const nouns = isContainment ? nounsOf(second.kinds) : `${nounsOf(first.kinds)} and ${nounsOf(second.kinds)}`;
    this.report({
      kind: 'refused-value',
      span: isContainment ? right.span : expression.span,
      isCertain: isAlways && this.conditions === 0,
      message: isContainment
        ? this.#isWords(
            right,
            isAlways
              ? nouns
              : nounsOf([...second.kinds].filter((kind) => kind === 'null' || kind === 'number' || kind === 'boolean')),
            isAlways,
            'contains nothing',
          )
        : `\`${operator}\` does not accept ${isAlways ? nouns : `every value here: ${nouns}`}.`,
      fixes: [],
    });
    return type;
  }

  // Filters and tests.

  #filtered(expression: FilterCall, operand: ValueType, environment: Environment): ValueType {
    const { name, args, input } = expression;
    this.#sink.noteInput(name.span.start, operand);
    const types = args.map(({ value }) => this.typeOf(value, environment));
    const isDefault = name.text === 'default' || name.text === 'd';
    if (!isDefault) for (const [at, type] of types.entries()) this.use(type, 'lenient', args[at]?.value);
    const problem = argumentProblem('filter', name, args);
    if (problem) this.report({ ...problem, isCertain: problem.isCertain && this.conditions === 0 });
    if (isDefault) return defaulted(operand, args, types);
    // This filter returns an undefined value unchanged.
    if (name.text === 'reverse' && operand.absence) {
      return orUndefined(resultOfFilter('reverse', without(operand, 'undefined')), operand.absence);
    }
    const refused = refusedBy('filter', name.text);
    const value = this.use(operand, refused.has('undefined') ? 'strict' : 'lenient', input);
    if (!FILTERS.has(name.text) || problem) return resultOfFilter(name.text, value);
    const accepted = hasKind(operand, 'undefined') && !refused.has('undefined') ? operand : value;
    this.refuse(accepted, refused, name.span, (nouns, isAlways) => {
      const text = input ? `\`${this.textOf(input)}\`` : 'the text of the block';
      return `The filter \`${name.text}\` does not accept ${nouns}, and ${text} ${isAlways ? 'is' : 'may be'} ${isAlways ? 'one' : nouns}.`;
    });
    if (name.text === 'sum') this.#checkSummed(value, name);
    const item = itemOf(value);
    switch (name.text) {
      case 'attr':
        return this.#memberNamed(value, args[0]);
      case 'map':
        return this.#mapped(args, item);
      case 'selectattr':
      case 'rejectattr':
        this.use(this.#memberNamed(item, args[0]), 'lenient');
        break;
      case 'groupby':
      case 'sort':
      case 'unique': {
        const attribute = args.find(
          ({ kind, name: word }) => word?.text === 'attribute' || (kind === 'positional' && name.text === 'groupby'),
        );
        const isGuarded = args.some(({ name: word }) => word?.text === 'default');
        this.use(this.#memberNamed(item, attribute), isGuarded ? 'guard' : 'lenient');
        break;
      }
    }
    return resultOfFilter(name.text, value);
  }

  /** Reports a sum of values that are not numbers. An empty list has the sum 0. */
  #checkSummed(list: ValueType, name: Name): void {
    this.sometimes(() =>
      this.refuse(
        hasKind(list, 'list') ? without(itemOf(list), 'undefined') : ANY,
        NOT_SUMMED,
        name.span,
        (nouns) => `The filter \`sum\` accepts only numbers, and an item may be ${nouns}.`,
      ),
    );
  }

  /** Returns the type of the attribute that an argument names, as in `map(attribute="user.name")`. */
  #memberNamed(receiver: ValueType, argument: Argument | undefined): ValueType {
    if (argument?.value.kind !== 'literal' || typeof argument.value.value !== 'string') return ANY;
    this.#sink.noteInput(nameSpan(argument.value).start, receiver);
    let type = receiver;
    for (const name of argument.value.value.split('.')) {
      if (isAny(type) || /^\d*$/.test(name)) return ANY;
      type = this.member(without(type, 'undefined'), name, argument.value);
      if (isOnly(type, 'undefined')) return type;
    }
    return type;
  }

  #mapped(args: readonly Argument[], item: ValueType): ValueType {
    const named = (word: string) => args.find(({ name }) => name?.text === word);
    const attribute = named('attribute');
    if (attribute) {
      const member = this.#memberNamed(item, attribute);
      const isGuarded = named('default') !== undefined;
      const type = this.use(member, isGuarded ? 'guard' : 'lenient');
      return listOf(() => (isGuarded ? without(member, 'undefined') : isOnly(member, 'undefined') ? ANY : type));
    }
    const [filter] = args;
    const name = filter?.value.kind === 'literal' ? String(filter.value.value) : '';
    return listOf(() => (name === 'attr' ? this.#memberNamed(item, args[1]) : resultOfFilter(name, item)));
  }

  #tested({ name, args, input }: TestCall, operand: ValueType, environment: Environment): ValueType {
    for (const { value } of args) this.use(this.typeOf(value, environment), 'lenient', value);
    const isGuard = name.text === 'defined' || name.text === 'undefined';
    const refused = refusedBy('test', name.text);
    const problem = argumentProblem('test', name, args);
    if (problem) this.report({ ...problem, isCertain: problem.isCertain && this.conditions === 0 });
    const value = this.use(operand, isGuard ? 'guard' : refused.has('undefined') ? 'strict' : 'lenient', input);
    this.refuse(value, refused, name.span, (nouns, isAlways) => {
      const verb = isAlways ? 'is' : 'may be';
      return `The test \`${name.text}\` accepts only strings, and \`${this.textOf(input)}\` ${verb} ${nouns}.`;
    });
    return BOOLEAN;
  }

  // Calls.

  #typeOfCall({ callee, args }: Call, environment: Environment): ValueType {
    const types = args.map(({ value }) => this.typeOf(value, environment));
    if (callee.kind !== 'name') {
      this.use(this.typeOf(callee, environment), 'lenient', callee);
      return ANY;
    }
    const { name } = callee;
    const type = environment.typeOf(name);
    if (type) return this.#calledResult(type, callee, args, types);
    if (!FUNCTIONS.has(name)) return ANY;
    const problem = argumentProblem('function', { text: name, span: callee.span }, args);
    if (problem) this.report({ ...problem, isCertain: problem.isCertain && this.conditions === 0 });
    return this.#resultOfFunction(name, args, types);
  }

  /** Returns the result of calling a value, which must be a macro or a function of the template. */
  #calledResult(
    type: ValueType,
    callee: Expression,
    args: readonly Argument[],
    types: readonly ValueType[],
  ): ValueType {
    const called = this.use(type, 'strict', callee);
    // The `loop` of a recursive loop has fields and can be called.
    if (!hasKind(called, 'callable') || !hasKind(called, 'map')) {
      this.refuse(called, NOT_CALLED, callee.span, (nouns, isAlways) =>
        this.#isWords(callee, nouns, isAlways, 'cannot be called'),
      );
    }
    if (!called.macro || !isOnly(called, 'callable')) return isOnly(called, 'callable') ? STRING : ANY;
    this.#callMacro(called.macro, args, types);
    return STRING;
  }

  #callMacro(macro: Macro, args: readonly Argument[], types: readonly ValueType[]): void {
    const names = macro.parameters.map(({ name }) => name.text);
    if (args.some(({ kind }) => kind === 'splat' || kind === 'keyword-splat')) {
      this.#sink.called(macro, undefined);
      return;
    }
    const passed = new Map<string, ValueType>();
    let position = 0;
    for (const [at, { kind, name: word, span: place }] of args.entries()) {
      const name = kind === 'keyword' ? (word?.text ?? '') : names[position++];
      if (name !== undefined && names.includes(name)) passed.set(name, types[at] ?? ANY);
      else if (name !== 'caller') {
        const near = kind === 'keyword' ? nearestNames(name ?? '', names) : [];
        const at = word?.span ?? place;
        this.report({
          kind: 'argument',
          span: at,
          isCertain: this.conditions === 0,
          message:
            kind === 'keyword'
              ? `The macro \`${macro.name.text}\` has no parameter \`${name}\`.${didYouMean(near)}`
              : `The macro \`${macro.name.text}\` takes at most ${names.length} argument${names.length === 1 ? '' : 's'}.`,
          fixes: near.map((other) => ({ title: `Replace with \`${other}\``, edits: [{ span: at, newText: other }] })),
        });
      }
    }
    this.#sink.called(macro, passed);
  }

  #resultOfFunction(name: string, args: readonly Argument[], types: readonly ValueType[]): ValueType {
    if (name === 'range') {
      for (const [at, type] of types.entries()) {
        const { value } = args[at] as Argument;
        this.refuse(this.use(type, 'strict', value), NOT_COUNTED, value.span, (nouns, isAlways) =>
          this.#isWords(value, nouns, isAlways, 'is not a number for `range`'),
        );
      }
      return listOf(() => NUMBER);
    }
    if (name !== 'dict' && name !== 'namespace') return ANY;
    const fields = new Map<string, () => ValueType>();
    let isOpen = false;
    for (const [at, { kind, name: word }] of args.entries()) {
      const type = types[at] ?? ANY;
      if (kind === 'keyword' && word) fields.set(word.text, () => type);
      else if (kind === 'positional' && isOnly(type, 'map') && type.map && !type.map.isOpen) {
        const { map } = type;
        for (const field of map.names()) fields.set(field, () => map.field(field) ?? ANY);
      } else isOpen = true;
    }
    if (name === 'namespace') for (const field of this.#sink.assigned) fields.set(field, () => ANY);
    const type = mapOf(fields, isOpen);
    return name === 'dict' || !type.map ? type : { ...type, map: { ...type.map, isNamespace: true } };
  }

  /** Returns the result of `receiver.name(…)`. Only macros of a module and the functions of `loop` can be called. */
  #methodResult(expression: Call, operand: ValueType, environment: Environment): ValueType {
    const { callee, args } = expression;
    const types = args.map(({ value }) => this.typeOf(value, environment));
    if (callee.kind !== 'attribute') return ANY;
    const receiver = this.use(operand, 'strict', callee);
    const { name } = callee;
    this.#sink.noteInput(name.span.start, receiver);
    const member = isAny(receiver) ? ANY : (receiver.map?.field(name.text) ?? undefined);
    this.#sink.note(callee, member ?? ANY);
    if (member) return isAny(member) ? ANY : this.#calledResult(member, callee, args, types);
    if (receiver.map?.isOpen && receiver.map.isNamespace) return ANY;
    if (isAny(receiver) || hasKind(receiver, 'callable')) return ANY;
    this.#reportMethod(expression, callee.receiver, name, receiver);
    return ANY;
  }

  #reportMethod(expression: Call, receiver: Expression, name: Name, type: ValueType): void {
    const filter = FILTER_FOR_METHOD.get(name.text) ?? (FILTERS.has(name.text) ? name.text : undefined);
    const near = type.map && !type.map.isOpen ? nearestNames(name.text, type.map.names()) : [];
    const from = span(receiver.span.end, name.span.end);
    const isBare = expression.args.length === 0;
    const until = isBare ? span(receiver.span.end, expression.span.end) : from;
    const advice = filter ? ` Use the filter \`${filter}\`.` : '';
    this.report({
      kind: 'refused-value',
      span: name.span,
      isCertain: this.conditions === 0,
      message: `\`${this.textOf(receiver)}\` is ${nounsOf(type.kinds)} and has no method \`${name.text}\`.${near.length > 0 ? didYouMean(near) : advice}`,
      fixes:
        near.length > 0
          ? near.map((other) => ({ title: `Replace with \`${other}\``, edits: [{ span: name.span, newText: other }] }))
          : filter
            ? [{ title: `Use the filter \`${filter}\``, edits: [{ span: until, newText: ` | ${filter}` }] }]
            : [],
    });
  }
}

const set = (...kinds: readonly Kind[]): ReadonlySet<Kind> => new Set(kinds);
const NOT_SLICED = set('boolean', 'number', 'map', 'callable');
const NOT_NEGATED = set('boolean', 'string', 'list', 'map', 'null', 'callable');
const NOT_SUMMED = set('string', 'list', 'map', 'null');
const NOT_CALLED = set('boolean', 'number', 'string', 'list', 'map', 'null');
const NOT_COUNTED = set('string', 'list', 'map', 'null');

/** The filters for methods of Python with another name. */
const FILTER_FOR_METHOD: ReadonlyMap<string, string> = new Map([
  ['strip', 'trim'],
  ['keys', 'list'],
  ['splitlines', 'lines'],
]);

/** Returns the operand on the left side of an expression, from which its type is inferred. */
function operandOf(expression: Expression): Expression | undefined {
  switch (expression.kind) {
    case 'attribute':
    case 'item':
    case 'slice':
      return expression.receiver;
    case 'unary':
      return expression.operand;
    case 'binary':
      return expression.operator === 'and' || expression.operator === 'or' ? undefined : expression.left;
    case 'filter':
    case 'test':
      return expression.input;
    case 'call':
      return expression.callee.kind === 'attribute' ? expression.callee.receiver : undefined;
    default:
      return undefined;
  }
}

/** Returns the step of a path that an attribute or a constant subscript makes. */
function stepOf(expression: Expression): string | undefined {
  if (expression.kind === 'attribute') return expression.name.text;
  if (expression.kind !== 'item' || expression.index.kind !== 'literal') return undefined;
  const { value } = expression.index;
  return typeof value === 'string' || Number.isInteger(value) ? String(value) : undefined;
}

/** Returns the type after `default`: `lax` also replaces values that count as false. */
function defaulted(operand: ValueType, args: readonly Argument[], types: readonly ValueType[]): ValueType {
  const isLax = args.length > 1;
  const fallback = types[0] ?? STRING;
  if (!hasKind(operand, 'undefined') && !isLax) return operand;
  const kept = isLax ? without(operand, 'undefined', 'null') : without(operand, 'undefined');
  return isOnly(operand, 'undefined', ...(isLax ? (['null'] as const) : [])) ? fallback : unionOf([kept, fallback]);
}
