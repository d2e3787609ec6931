/** Infers the type of each expression in a template, and reports values that the engine refuses. */
import { type Span, span } from '../../../text.ts';
import type { Argument, Call, Expression, FilterCall, Macro, TestCall } from '../ast.ts';
import { FILTERS, FUNCTIONS } from '../builtins.ts';
import {
  argumentProblem,
  defaulted,
  groupOf,
  macroArguments,
  methodProblem,
  refusedBy,
  refusedByArguments,
  resultOfFilter,
  resultOfOperator,
  valuesOf,
} from './builtin-types.ts';
import { type Environment, factsOf, refined } from './environment.ts';
import { factsOfLiteral, literalNumber, mayBeNoNumber, mayBeZero, negatedFacts } from './facts.ts';
import { absenceProblem, nameSpan, silentAbsences, silentProblem, type TypeProblem } from './problems.ts';
import {
  caseProblem,
  containsIterator,
  divisionProblem,
  filterEdits,
  type IteratorUse,
  isWrongSlice,
  iteratorProblem,
  noneDefaultProblem,
  roundProblem,
  sortProblem,
  unsizedProblem,
} from './silent-results.ts';
import { sliceProblem } from './slices.ts';
import {
  type Absence,
  ANY,
  BOOLEAN,
  hasKind,
  isAny,
  isIterator,
  isOnly,
  itemAt,
  itemOf,
  itemsOf,
  type Kind,
  LIST,
  listIn,
  listOf,
  mapOf,
  mayBeIterator,
  NULL,
  NUMBER,
  nounsOf,
  orUndefined,
  readAt,
  STRING,
  truthy,
  tupleOf,
  undefinedFor,
  unionOf,
  unplaced,
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
  /** Returns the template whose expressions are inferred. */
  readonly home: () => unknown;
  /** Receives the types of the arguments of a macro call, by parameter; undefined for a parameter without argument. */
  readonly called: (macro: Macro, args: ReadonlyMap<string, ValueType> | undefined, call: Call) => void;
  /** The attributes of namespaces that any template sets. */
  readonly assigned: ReadonlySet<string>;
  /** True if a test of an undefined value fails (docs/templates.md, "Undefined values"). */
  readonly isStrict: boolean;
  /** The names with which references begin. A reference as a whole is undefined if one of its parts is missing. */
  readonly references?: ReadonlySet<string>;
}

/** How a value is used. `strict` fails for an undefined value, `lenient` does not, and `guard` tests the value. */
type UseKind = 'strict' | 'lenient' | 'guard';

/** The longest path that facts describe. */
const MAX_PATH = 16;
/** The largest list whose items are typed one by one. */
const MAX_TUPLE = 50;
/** The length of the text that is shortened for a message, in UTF-16 code units. */
const MAX_TEXT = 200;
/** The name of an item in the conditions of `select` and similar filters. */
const ITEM = '\0item';
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

  /** Returns the type of a value that is only tested, which may be undefined unless the mode is strict. */
  tested(expression: Expression, environment: Environment): ValueType {
    return this.#test(this.typeOf(expression, environment), expression);
  }

  #test(type: ValueType, expression: Expression, use: 'tested' | 'chosen' = 'tested'): ValueType {
    if (mayBeIterator(type)) this.#reportIterator(use, expression, type);
    this.use(type, this.#sink.isStrict ? 'strict' : 'lenient', expression);
    return type;
  }

  /** Returns the type of a value that is printed. An empty or undefined part of it is a problem, too. */
  printed(expression: Expression, environment: Environment): ValueType {
    const type = this.typeOf(expression, environment);
    this.#reportSilent(type);
    this.#reportText('printed', expression, type);
    return this.use(type, 'strict', expression);
  }

  /** Returns the type of a value over which a loop runs. */
  looped(expression: Expression, environment: Environment): ValueType {
    const type = this.typeOf(expression, environment);
    const { emptied } = type;
    if (emptied?.conditional) this.#reportSilent({ ...ANY, emptied });
    return this.use(type, 'strict', expression);
  }

  get #sources() {
    return {
      textOf: (part: Expression) => this.textOf(part),
      sourceOf: this.#sink.textOf,
      home: this.#sink.home(),
    };
  }

  #reportIterator(use: IteratorUse, expression: Expression, type: ValueType): void {
    this.report(iteratorProblem(use, expression, type, this.#sources));
  }

  /** Reports an iterator whose text is written. */
  #reportText(use: 'printed' | 'text', expression: Expression, type: ValueType): void {
    if (mayBeIterator(type)) this.#reportIterator(use, expression, type);
    else if (containsIterator(type)) this.#reportIterator('inside', expression, type);
  }

  /** Reports items that are iterators, if their text is written. */
  #reportItems(expression: Expression, type: ValueType): void {
    if (containsIterator(type)) this.#reportIterator('inside', expression, type);
  }

  /** Reports the undefined values that the engine renders without an error. */
  #reportSilent(type: ValueType): void {
    for (const absence of silentAbsences(type)) this.#reportWrong(absence);
  }

  #reportWrong(absence: Absence & { readonly expression: Expression }): void {
    if (this.#reportUnsized(absence)) return;
    this.report(silentProblem(absence, (part) => this.textOf(part)));
  }

  /** Reports a field of a loop that does not know its length. Returns whether the absence is one. */
  #reportUnsized({ unsized, name = '', expression }: Absence): boolean {
    if (!unsized || !expression) return false;
    this.report(unsizedProblem(name, unsized, expression.span, this.#sources));
    return true;
  }

  /** Reports a value that may be undefined where the result is then wrong, although the engine reports no error. */
  #reportAbsent(type: ValueType): void {
    this.#reportSilent(type);
    const { absence } = type;
    if (!hasKind(type, 'undefined') || isOnly(type, 'undefined') || !absence?.expression) return;
    this.#reportWrong({ ...absence, expression: absence.expression });
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
    let isReference = part.kind === 'name' && this.#sink.references?.has(part.name) === true;
    this.#sink.note(part, type);
    for (const outer of chain.reverse()) {
      isReference &&= outer.kind === 'attribute';
      type =
        isReference && outer.kind === 'attribute'
          ? this.#referred(outer, type)
          : this.#typeOfStep(outer, type, environment);
      const step = path && path.length <= MAX_PATH ? stepOf(outer) : undefined;
      path = path && step !== undefined ? [...path, step] : undefined;
      if (path) type = environment.narrowed(path[0] ?? '', path.join('\0'), type);
      this.#sink.note(outer, type);
    }
    this.#depth--;
    return type;
  }

  /** Reports an undefined value where it is used, and returns the type of the defined value. */
  use(type: ValueType, use: UseKind, user?: Expression): ValueType {
    const absence = type.absence?.expression ? type.absence : undefined;
    if (use === 'guard' || !hasKind(type, 'undefined') || !absence)
      return use === 'guard' ? type : without(type, 'undefined');
    const isAlways = isOnly(type, 'undefined');
    const isField = ['missing', 'no-fields', 'closure'].includes(absence.reason);
    // A filter or an operator that accepts undefined values is a warning only for a field that is never defined.
    if (absence.unsized) this.#reportUnsized(absence);
    else if (use === 'strict' || (isAlways && isField)) {
      const located = { ...absence, expression: absence.expression as Expression };
      const isUnconditional = this.conditions === 0;
      const place = { isAlways, isStrict: use === 'strict', isUnconditional, user, output: this.output };
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
        if (typeof value === 'boolean') return BOOLEAN;
        const facts = factsOfLiteral(value, this.#sink.textOf(expression.span));
        return { ...(typeof value === 'string' ? STRING : NUMBER), facts };
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
        if (isAny(sliced)) return ANY;
        const problem = sliceProblem(expression, sliced, this.#sources);
        if (problem) this.report(problem);
        if (!hasKind(sliced, 'list')) return STRING;
        const { start, stop, step } = expression;
        const parts = [
          literalNumber(start),
          literalNumber(stop),
          stop !== undefined,
          literalNumber(step) ?? 1,
        ] as const;
        const isWrong = mayBeIterator(sliced) && isWrongSlice(...parts);
        if (isWrong) this.#reportIterator('slice', expression.receiver, sliced);
        if (!isOnly(sliced, 'list', 'string')) return ANY;
        const items = itemsOf(without(sliced, 'string'));
        const list = isWrong ? LIST : slicedList(sliced, items, parts[0] ?? 0, parts[1]);
        return isOnly(sliced, 'list') ? list : unionOf([STRING, list]);
      }
      case 'unary': {
        if (expression.operator === 'not') {
          if (mayBeIterator(operand)) this.#reportIterator('tested', expression.operand, operand);
          return BOOLEAN;
        }
        const negated = this.use(operand, 'strict', expression);
        this.refuse(negated, NOT_NEGATED, expression.operand.span, (nouns, isAlways) =>
          this.#isWords(expression.operand, nouns, isAlways, 'cannot be negated'),
        );
        return { ...NUMBER, facts: negatedFacts(negated.facts) };
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

  /** Returns the type of a field in a reference, which is missing if its receiver is. */
  #referred(expression: Expression & { kind: 'attribute' }, operand: ValueType): ValueType {
    const type = this.member(without(operand, 'undefined'), expression.name.text, expression);
    const absence = hasKind(operand, 'undefined') ? operand.absence : undefined;
    if (!absence) return type;
    const { reason, name } = absence;
    return orUndefined(without(type, 'undefined'), { reason, expression, ...(name !== undefined && { name }) });
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
      if (field?.unsized) this.report(unsizedProblem(name, field.unsized, expression.span, this.#sources));
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
    return found.length === 0 ? undefinedFor({ ...absence, isNever: true }) : orUndefined(unionOf(found), absence);
  }

  #itemAt(expression: Expression & { kind: 'item' }, receiver: ValueType, environment: Environment): ValueType {
    const { index } = expression;
    const key = this.use(this.typeOf(index, environment), 'lenient');
    if (isAny(receiver)) return ANY;
    const name = index.kind === 'literal' ? index.value : undefined;
    if (typeof name === 'string') return this.member(receiver, name, expression);
    if (isOnly(receiver, 'boolean', 'number'))
      return undefinedFor({ reason: 'no-fields', expression, receiver, name: '', isNever: true });
    if (hasKind(receiver, 'map')) {
      if (!isOnly(receiver, 'map')) return ANY;
      // The names of fields are strings.
      const isMissing = typeof name === 'number' && receiver.map?.isOpen === false;
      if (isMissing)
        return undefinedFor({ reason: 'missing', expression, receiver, name: String(name), isNever: true });
      return isOnly(key, 'string') ? valuesOf(receiver.map) : ANY;
    }
    if (mayBeIterator(receiver) && (literalNumber(index) ?? 0) < 0) {
      this.#reportIterator('item', expression.receiver, receiver);
      return ANY;
    }
    const tuple = receiver.list?.tuple;
    if (typeof name === 'number' && tuple && isOnly(receiver, 'list') && tuple.at(name) === undefined) {
      return undefinedFor({ reason: 'missing', expression, receiver, name: String(name), isNever: true });
    }
    const known =
      typeof name === 'number' && isOnly(receiver, 'list', 'null') ? itemAt(receiver.list, name) : undefined;
    const defined = known ?? itemOf(without(receiver, 'null'));
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
      if (!isLast) this.#test(type, operand, operator === 'or' ? 'chosen' : 'tested');
      // A test of the whole does not show that this operand is a field that never exists.
      else if (isOnly(type, 'undefined')) this.use(type, 'lenient', operand);
      const isSkipped = operator === 'or' || this.#sink.isStrict;
      const isFirst = operator === 'or';
      const passed = isSkipped ? without(type, 'undefined', ...(isFirst ? ['null' as const] : [])) : type;
      // The iterator has been reported.
      const reported = mayBeIterator(passed) ? { ...passed, list: { item: () => itemOf(passed) } } : passed;
      types.push(isLast ? type : isFirst ? truthy(reported) : reported);
      for (const fact of isLast ? [] : factsOf(operand, operator === 'and', inner)) inner.prove(fact);
      this.conditions = before + 1;
    }
    this.conditions = before;
    return unionOf(types);
  }

  #typeOfConditional(expression: Expression & { kind: 'conditional' }, environment: Environment): ValueType {
    const { condition, value, otherwise } = expression;
    const {
      kinds,
      absence,
      emptied = kinds.has('undefined') ? absence : undefined,
    } = this.tested(condition, environment);
    return this.sometimes(() => {
      const [facts, opposite] = [factsOf(condition, true, environment), factsOf(condition, false, environment)];
      const yes = this.typeOf(value, environment.with(facts));
      if (!otherwise) {
        const isSilent = emptied?.expression !== undefined && !this.#sink.isStrict;
        const type = hasKind(yes, 'undefined') && yes.absence ? orUndefined(ANY, yes.absence) : ANY;
        return isSilent ? { ...type, emptied: { ...emptied, conditional: expression } } : type;
      }
      const no = this.typeOf(otherwise, environment.with(opposite));
      if (environment.excludes(opposite)) return yes;
      return environment.excludes(facts) ? no : unionOf([yes, no]);
    });
  }

  #operated(expression: Expression & { kind: 'binary' }, operand: ValueType, environment: Environment): ValueType {
    const { operator, left, right } = expression;
    const isArithmetic = ['+', '-', '*', '/', '//', '%', '**'].includes(operator);
    const isContainment = operator === 'in' || operator === 'not in';
    const other = this.typeOf(right, environment);
    // An undefined value is less than every other value, in every string, and an empty string for `~`.
    if (operator === '~' || operator === '<' || operator === '<=') this.#reportAbsent(operand);
    if (isContainment && hasKind(other, 'string')) this.#reportAbsent(operand);
    if (operator === '~' || operator === '>' || operator === '>=') this.#reportAbsent(other);
    if (operator === '~') {
      this.#reportText('text', left, operand);
      this.#reportText('text', right, other);
    }
    if (operator === '==' || operator === '!=') {
      if (isOnly(other, 'null')) this.#reportNoneDefault(operand, left);
      if (isOnly(operand, 'null')) this.#reportNoneDefault(other, right);
    }
    const first = this.use(operand, isArithmetic ? 'strict' : 'lenient', left);
    const second = this.use(other, isArithmetic || isContainment ? 'strict' : 'lenient', right);
    const { type, refused } = resultOfOperator(operator, first, second);
    if (operator === '*') {
      for (const [part, value] of [[left, first] as const, [right, second] as const]) {
        this.#checkCounted(value, '`*`', part.span, part);
      }
    }
    if (refused === 'never') {
      if (['/', '//', '%'].includes(operator) && mayBeZero(second)) {
        const [isFloat, isCertain] = [second.facts?.isFloat === true, this.conditions === 0];
        this.report(divisionProblem(expression, isFloat, isCertain, this.output === expression, this.#sources));
      }
      return type;
    }
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
    const { name, input } = expression;
    const { absence, emptied = hasKind(operand, 'undefined') ? absence : undefined, ...filled } = operand;
    const isText = TO_EMPTY.has(name.text);
    if (JOINING.has(name.text)) this.#reportSilent(filled);
    if (input && WRITES_TEXT.has(name.text)) this.#reportText('text', input, operand);
    if (input && name.text === 'join') this.#reportItems(input, operand);
    if (input && name.text === 'bool') this.#test(operand, input);
    if (input && name.text === 'tojson') this.#reportNoneDefault(operand, input);
    if (TO_WRONG.has(name.text)) this.#reportAbsent(operand);
    const result = this.#filteredDefined(expression, operand, environment);
    return isText && emptied?.expression && !emptied.isNever && input ? { ...result, emptied } : result;
  }

  /** Returns the result of a filter for a defined value. */
  #filteredDefined(expression: FilterCall, operand: ValueType, environment: Environment): ValueType {
    const { name, args, input } = expression;
    this.#sink.noteInput(name.span.start, operand);
    const types = args.map(({ value }) => this.typeOf(value, environment));
    const isDefault = name.text === 'default' || name.text === 'd';
    if (!isDefault) this.#checkArguments(name.text, args, types);
    const problem = argumentProblem('filter', name, args, this.#sink.textOf);
    if (problem) this.report({ ...problem, isCertain: problem.isCertain && this.conditions === 0 });
    if (isDefault) {
      const isNone = types.length === 1 && isOnly(types[0] ?? ANY, 'null') && hasKind(operand, 'undefined');
      const result = defaulted(operand, args, types);
      return isNone ? { ...result, noneDefault: { part: expression, home: this.#sink.home() } } : result;
    }
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
    const item = itemOf(value);
    switch (name.text) {
      case 'length':
      case 'count':
      case 'pluralize':
        if (input) this.#checkCounted(value, `the filter \`${name.text}\``, name.span, input);
        break;
      case 'int':
      case 'float':
        if (input && mayBeNoNumber(value)) this.#reportNoNumber(name.text, input, name.span);
        break;
      case 'round':
        if ((literalNumber(args[0]?.value) ?? 0) < 0 && hasKind(value, 'number') && !value.facts?.isFloat) {
          this.report(roundProblem(expression, this.#sources));
        }
        break;
      case 'sum':
        this.#checkItems(name.text, without(item, 'undefined'), NOT_SUMMED, name.span);
        break;
      case 'attr':
        return this.#memberNamed(value, args[0], 'strict');
      case 'chain':
        return chained([value, ...types]);
      case 'map':
        if (input && args[0]?.value.kind === 'literal' && WRITES_TEXT.has(String(args[0].value.value))) {
          this.#reportItems(input, value);
        }
        return this.#mapped(args, item);
      case 'select':
      case 'reject':
      case 'selectattr':
      case 'rejectattr':
        return this.#selected(name.text, args, item, environment);
      case 'batch':
      case 'slice': {
        const fill = types[1];
        return fill ? listOf(() => listOf(() => unionOf([item, fill]))) : resultOfFilter(name.text, value);
      }
      case 'groupby':
      case 'sort':
      case 'unique': {
        const attribute = args.find(
          ({ kind, name: word }) => word?.text === 'attribute' || (kind === 'positional' && name.text === 'groupby'),
        );
        const fallback = args.findIndex(({ name: word }) => word?.text === 'default');
        if (attribute && name.text === 'sort' && this.#hasSeveralAttributes(attribute, item)) {
          this.report(sortProblem(expression, attribute, this.#sources));
          break;
        }
        const member = this.#memberNamed(item, attribute, 'guard');
        this.use(member, fallback >= 0 ? 'guard' : 'lenient');
        if (name.text !== 'groupby' || isAny(value)) break;
        const group = fallback < 0 ? member : unionOf([without(member, 'undefined'), types[fallback] ?? ANY]);
        return listOf(() => groupOf(value, isOnly(group, 'undefined') ? ANY : unplaced(group)));
      }
    }
    const result = resultOfFilter(name.text, value, args);
    if (name.text !== 'split' || !result.list) return result;
    return { ...result, list: { ...result.list, origin: { part: expression, home: this.#sink.home() } } };
  }

  /** Returns whether an argument names several attributes with commas between them. */
  #hasSeveralAttributes({ value }: Argument, item: ValueType): boolean {
    return value.kind === 'literal' && String(value.value).includes(',') && !item.map?.field(String(value.value));
  }

  /** Reports a string that may not be a number, for which `int` and `float` fail. */
  #reportNoNumber(filter: string, input: Expression | undefined, at: Span): void {
    const isLiteral = input?.kind === 'literal';
    const text = input ? `\`${this.textOf(input)}\`` : 'an item';
    const advice = input ? ' Declare a number, or a `pattern`.' : ' Declare a list of numbers instead.';
    this.report({
      kind: 'refused-value',
      span: at,
      isCertain: isLiteral && this.conditions === 0,
      message: isLiteral
        ? `${text} is not a number, so \`${filter}\` fails.`
        : `\`${filter}\` fails for text that is not a number or has spaces, and ${text} may be such text.${advice}`,
      fixes: [],
    });
  }

  #reportNoneDefault({ noneDefault }: ValueType, user: Expression): void {
    if (noneDefault) this.report(noneDefaultProblem(noneDefault, user, this.#sources));
  }

  /** Reports an argument that may be 0, which the engine refuses. */
  #refuseZero(subject: string, value: Expression, type: ValueType): void {
    if (!mayBeZero(type)) return;
    const isZero = literalNumber(value) === 0;
    this.report({
      kind: 'refused-value',
      span: value.span,
      isCertain: isZero && this.conditions === 0,
      message: isZero
        ? `${subject} does not accept 0.`
        : `${subject} does not accept 0, and \`${this.textOf(value)}\` may be 0. Test it first, or declare a \`minimum\`.`,
      fixes: [],
    });
  }

  #checkArguments(filter: string, args: readonly Argument[], types: readonly ValueType[]): void {
    for (const [at, { parameter, refused }] of refusedByArguments(filter, args).entries()) {
      const { value } = args[at] as Argument;
      const type = this.use(types[at] ?? ANY, refused.has('undefined') ? 'strict' : 'lenient', value);
      this.refuse(type, refused, value.span, (nouns, isAlways) => {
        const isOne = isAlways ? 'is one' : `may be ${nouns}`;
        return `The filter \`${filter}\` does not accept ${nouns} as \`${parameter}\`, and \`${this.textOf(value)}\` ${isOne}.`;
      });
      if (parameter === 'count') this.#refuseZero(`The filter \`${filter}\``, value, type);
    }
  }

  /** Reports the result of `split` where MiniJinja 2.11 needs its length. `user` is the filter or the operator. */
  #checkCounted(type: ValueType, user: string, at: Span, input: Expression): void {
    if (!mayBeIterator(type)) return;
    const isAlways = isIterator(type);
    const edits = filterEdits(input, 'list', { sourceOf: this.#sink.textOf });
    const source = input.kind === 'filter' && input.name.text === 'chain' ? 'chain' : 'split';
    const message = isAlways
      ? `${user.replace(/^t/, 'T')} does not accept the result of \`${source}\`. Add \`| list\` to it.`
      : `\`${this.textOf(input)}\` may be the result of \`${source}\`, which ${user} does not accept. Add \`| list\` to \`${source}\`.`;
    this.report({
      kind: 'refused-value',
      span: at,
      isCertain: isAlways && this.conditions === 0,
      message,
      fixes: isOnly(type, 'list') ? [{ title: 'Add `| list`', edits }] : [],
    });
  }

  /** Reports items that a filter does not accept. The list may be empty. */
  #checkItems(filter: string, item: ValueType, refused: ReadonlySet<Kind>, at: Span): void {
    this.sometimes(() =>
      this.refuse(item, refused, at, (nouns, isAlways) => {
        const accepted = filter === 'sum' ? 'accepts only numbers' : `does not accept ${nouns}`;
        return `The filter \`${filter}\` ${accepted}, and an item ${isAlways ? 'is' : 'may be'} ${filter !== 'sum' && isAlways ? 'one' : nouns}.`;
      }),
    );
  }

  /**
   * Returns the type of the attribute that an argument names, as in `map(attribute="user.name")`. `use` is how the
   * filter uses the values before the last name.
   */
  #memberNamed(receiver: ValueType, argument: Argument | undefined, use: UseKind): ValueType {
    if (argument?.value.kind !== 'literal' || typeof argument.value.value !== 'string') return ANY;
    const { value: text } = argument.value;
    const { start, end } = nameSpan(argument.value);
    const names = text.split('.');
    // A string with escapes has no places for its parts.
    const isPlain = names.length > 1 && end - start === text.length;
    let type = receiver;
    let at = start;
    for (const name of names) {
      if (isAny(type) || /^\d*$/.test(name)) {
        this.#sink.noteInput(at, type);
        return ANY;
      }
      const place = isPlain ? span(at, at + name.length) : argument.value.span;
      const before: Expression = { kind: 'missing', span: span(start, Math.max(start, at - 1)) };
      const part: Expression = !isPlain
        ? argument.value
        : at === start
          ? { kind: 'missing', span: place }
          : { kind: 'attribute', receiver: before, name: { text: name, span: place }, span: place };
      type = this.member(at === start ? without(type, 'undefined') : this.use(type, use), name, part);
      at += isPlain ? name.length + 1 : 0;
      if (isOnly(type, 'undefined')) return type;
    }
    return type;
  }

  #mapped(args: readonly Argument[], item: ValueType): ValueType {
    const named = (word: string) => args.find(({ name }) => name?.text === word);
    const attribute = named('attribute');
    if (attribute) {
      const member = this.#memberNamed(item, attribute, 'strict');
      const isGuarded = named('default') !== undefined;
      this.use(member, isGuarded ? 'guard' : 'lenient');
      return listOf(() => (isGuarded || isOnly(member, 'undefined') ? ANY : unplaced(member)));
    }
    const [filter] = args;
    const name = filter?.value.kind === 'literal' ? String(filter.value.value) : '';
    if (filter) this.#checkItems(name, item, refusedBy('filter', name), nameSpan(filter.value));
    if (filter && (name === 'int' || name === 'float') && mayBeNoNumber(item)) {
      this.#reportNoNumber(name, undefined, nameSpan(filter.value));
    }
    return listOf(() =>
      name === 'attr' ? this.#memberNamed(item, args[1], 'strict') : resultOfFilter(name, item, args.slice(1)),
    );
  }

  /** Returns the list of the items that pass a test, or do not pass it. */
  #selected(filter: string, args: readonly Argument[], item: ValueType, environment: Environment): ValueType {
    const ofAttribute = filter.endsWith('attr');
    if (ofAttribute) this.use(this.#memberNamed(item, args[0], 'strict'), 'lenient');
    const [test, ...rest] = ofAttribute ? args.slice(1) : args;
    const path = ofAttribute ? args[0]?.value : undefined;
    if (isAny(item) || (ofAttribute && (path?.kind !== 'literal' || typeof path.value !== 'string'))) {
      return listOf(() => item);
    }
    const place = span(0, 0);
    let input: Expression = { kind: 'name', name: ITEM, span: place };
    for (const text of path?.kind === 'literal' ? String(path.value).split('.') : []) {
      input = { kind: 'attribute', receiver: input, name: { text, span: place }, span: place };
    }
    const holds = filter.startsWith('select');
    const name = test?.value.kind === 'literal' ? String(test.value.value) : undefined;
    if (test && name === undefined) return listOf(() => item);
    const condition: Expression =
      name === undefined
        ? input
        : { kind: 'test', input, negated: false, name: { text: name, span: place }, args: rest, span: place };
    const facts = factsOf(condition, holds, environment);
    return listOf(() => refined(item, ITEM, facts));
  }

  #tested(expression: TestCall, operand: ValueType, environment: Environment): ValueType {
    const { name, args, input } = expression;
    const types = args.map(({ value }) => this.use(this.typeOf(value, environment), 'lenient', value));
    const isNone = name.text === 'none' || (types.length === 1 && isOnly(types[0] ?? ANY, 'null'));
    if (isNone || name.text === 'string') this.#reportNoneDefault(operand, input);
    if (name.text === 'sequence' && isOnly(operand, 'list') && operand.list?.form) {
      this.#reportIterator('sequence', input, operand);
    }
    const isGuard = name.text === 'defined' || name.text === 'undefined';
    const refused = refusedBy('test', name.text);
    const problem = argumentProblem('test', name, args, this.#sink.textOf);
    if (problem) this.report({ ...problem, isCertain: problem.isCertain && this.conditions === 0 });
    const value = this.use(operand, isGuard ? 'guard' : refused.has('undefined') ? 'strict' : 'lenient', input);
    this.refuse(value, refused, name.span, (nouns, isAlways) => {
      const verb = isAlways ? 'is' : 'may be';
      return `The test \`${name.text}\` accepts only strings, and \`${this.textOf(input)}\` ${verb} ${nouns}.`;
    });
    const isCase = name.text === 'upper' || name.text === 'lower';
    if (isCase && hasKind(value, 'string') && !value.facts?.text) this.report(caseProblem(expression, this.#sources));
    if (name.text === 'divisibleby' && args[0])
      this.#refuseZero('The test `divisibleby`', args[0].value, types[0] ?? ANY);
    return BOOLEAN;
  }

  // Calls.

  #typeOfCall(call: Call, environment: Environment): ValueType {
    const { callee, args } = call;
    const types = args.map(({ value }) => this.typeOf(value, environment));
    if (callee.kind !== 'name') {
      this.use(this.typeOf(callee, environment), 'lenient', callee);
      return ANY;
    }
    const { name } = callee;
    const type = environment.typeOf(name);
    if (type) return this.#calledResult(readAt(type, callee), call, types);
    if (!FUNCTIONS.has(name)) return ANY;
    const problem = argumentProblem('function', { text: name, span: callee.span }, args, this.#sink.textOf);
    if (problem) this.report({ ...problem, isCertain: problem.isCertain && this.conditions === 0 });
    return this.#resultOfFunction(name, args, types);
  }

  /** Returns the result of calling a value, which must be a macro or a function of the template. */
  #calledResult(type: ValueType, call: Call, types: readonly ValueType[]): ValueType {
    const { callee } = call;
    // A value that can never be called is only reported as such.
    const isRefused = !hasKind(type, 'callable') && !isOnly(type, 'undefined');
    const called = this.use(type, isRefused ? 'lenient' : 'strict', callee);
    // The `loop` of a recursive loop has fields and can be called.
    if (!hasKind(called, 'callable') || !hasKind(called, 'map')) {
      this.refuse(called, NOT_CALLED, callee.span, (nouns, isAlways) =>
        this.#isWords(callee, nouns, isAlways, 'cannot be called'),
      );
    }
    const [first] = call.args;
    // The argument of a recursive loop is its next list.
    if (hasKind(called, 'callable') && hasKind(called, 'map') && first)
      this.use(types[0] ?? ANY, 'strict', first.value);
    if (!called.macro || !isOnly(called, 'callable')) return isOnly(called, 'callable') ? STRING : ANY;
    this.#callMacro(called.macro, call, types);
    return STRING;
  }

  #callMacro(macro: Macro, call: Call, types: readonly ValueType[]): void {
    const { args } = call;
    if (args.some(({ kind }) => kind === 'splat' || kind === 'keyword-splat')) {
      this.#sink.called(macro, undefined, call);
      return;
    }
    const { parameters, problem } = macroArguments(macro, args);
    if (problem) this.report({ ...problem, isCertain: this.conditions === 0 });
    const passed = new Map(
      parameters.flatMap((name, at) => (name === undefined ? [] : [[name, types[at] ?? ANY] as const])),
    );
    this.#sink.called(macro, passed, call);
  }

  #resultOfFunction(name: string, args: readonly Argument[], types: readonly ValueType[]): ValueType {
    if (name === 'range') {
      for (const [at, type] of types.entries()) {
        const { value } = args[at] as Argument;
        this.refuse(this.use(type, 'strict', value), NOT_COUNTED, value.span, (nouns, isAlways) =>
          this.#isWords(value, nouns, isAlways, 'is not a number for `range`'),
        );
      }
      const [first, , step] = types;
      const argument = args[2]?.value;
      if (step && argument) this.#refuseZero('The function `range`', argument, step);
      const least = types.length === 1 ? 0 : types.length === 2 ? first?.facts?.least : undefined;
      return listIn(
        'iterable',
        listOf(() => (least === undefined ? NUMBER : { ...NUMBER, facts: { least } })),
      );
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
    if (member) return isAny(member) ? ANY : this.#calledResult(member, expression, types);
    if (receiver.map?.isOpen && receiver.map.isNamespace) return ANY;
    if (isAny(receiver) || hasKind(receiver, 'callable')) return ANY;
    this.report({
      ...methodProblem(expression, callee, receiver, this.textOf(callee.receiver), this.#sink.textOf),
      isCertain: this.conditions === 0,
    });
    return ANY;
  }
}

const set = (...kinds: readonly Kind[]): ReadonlySet<Kind> => new Set(kinds);
/** Filters whose result for an undefined value is empty or 0, and those for which it is another wrong text. */
const TO_EMPTY: ReadonlySet<string> = new Set(
  'capitalize e escape float indent int join lower replace safe string title trim truncate upper'.split(' '),
);
const TO_WRONG: ReadonlySet<string> = new Set(['groupby', 'pprint', 'tojson']);
/** Filters that write the items of a list. */
const JOINING: ReadonlySet<string> = new Set(['join', 'string']);
/** Filters that write the text of a list. */
const WRITES_TEXT: ReadonlySet<string> = new Set(
  'capitalize e escape indent lower pprint replace safe string striptags title trim upper'.split(' '),
);
const NOT_SLICED = set('boolean', 'number', 'map', 'callable');
const NOT_NEGATED = set('boolean', 'string', 'list', 'map', 'null', 'callable');
const NOT_SUMMED = set('string', 'list', 'map', 'null');
const NOT_CALLED = set('boolean', 'number', 'string', 'list', 'map', 'null');
const NOT_COUNTED = set('string', 'list', 'map', 'null');

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

/**
 * Returns the type of a slice with these items. A slice of an iterator is a list if the engine counts its items, as in
 * `(names + text | split)[:2]` with two names.
 */
function slicedList(sliced: ValueType, items: ValueType, start: number, stop: number | undefined): ValueType {
  const { counted, isPartly } = sliced.list ?? {};
  const isCounted = stop !== undefined && stop <= Math.max(start, counted ?? 0);
  if (!mayBeIterator(sliced) || isCounted) return listIn('iterable', items);
  const list = listIn('iterator', items);
  return list.list && (isPartly || counted !== undefined) ? { ...list, list: { ...list.list, isPartly: true } } : list;
}

/** Returns the type of several values that follow each other. */
function chained(types: readonly ValueType[]): ValueType {
  if (!types.every((type) => isOnly(type, 'list', 'string', 'map', 'null'))) return ANY;
  if (types.every((type) => isOnly(type, 'map'))) return ANY;
  const list = listOf(() => unionOf(types.map(itemOf)));
  // Only plain lists are joined to a list. A slice, a range, or the result of `reverse` is another iterable.
  const isPlain = types.every((type) => isOnly(type, 'list') && !type.list?.form);
  return isPlain ? list : listIn('iterator', list);
}

/** Returns the step of a path that an attribute or a constant subscript makes. */
function stepOf(expression: Expression): string | undefined {
  if (expression.kind === 'attribute') return expression.name.text;
  if (expression.kind !== 'item' || expression.index.kind !== 'literal') return undefined;
  const { value } = expression.index;
  return typeof value === 'string' || Number.isInteger(value) ? String(value) : undefined;
}
