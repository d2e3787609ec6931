/**
 * Checks the types of the values in templates and conditions (docs/templates.md, "Types"). The walk follows the order
 * of execution: included templates are checked where they are included, with the variables that they see there, and
 * macros with the types of the arguments that their calls pass.
 */
import { type Span, shift, sliceOf } from '../../../text.ts';
import {
  type AssignmentTarget,
  allNodes,
  type Body,
  type Branch,
  type Call,
  type CallBlock,
  type Expression,
  type For,
  type FromImport,
  type If,
  type Import,
  type Include,
  type Macro,
  type Name,
  type Node,
  type Template,
  type TemplateExpression,
} from '../ast.ts';
import { closureOf } from '../closures.ts';
import { pathKeysIn, pathOf } from '../defined-names.ts';
import { type NameUse, referenceOf, type Scopes } from '../scopes.ts';
import { loopOf } from './builtin-types.ts';
import { Environment, factsOf } from './environment.ts';
import { ExpressionTypes } from './expression-types.ts';
import type { TypeProblem } from './problems.ts';
import {
  ANY,
  CALLABLE,
  hasKind,
  isAny,
  isOnly,
  isSameType,
  itemOf,
  type Kind,
  mapOf,
  mayBeIterator,
  nounsOf,
  orUndefined,
  STRING,
  undefinedFor,
  unionOf,
  type ValueType,
  without,
} from './value-type.ts';

/** A template with the name by which other templates include it. Several variants may have one name. */
export interface NamedTemplate {
  readonly name: string;
  readonly template: Template;
  readonly scopes: Scopes;
}

/** The problems of one template, and the types of its expressions if they are recorded. */
export interface CheckedTemplate {
  readonly problems: readonly TypeProblem[];
  /** Returns the type of the expression, or of the name of a new variable, with this span. */
  readonly typeAt: (place: Span) => ValueType | undefined;
  /** Returns the type of the value before the name of a field or of a filter that begins at an offset. */
  readonly inputAt: (offset: number) => ValueType | undefined;
}

/** How templates are checked. */
export interface CheckOptions {
  /** True to record types. */
  readonly isRecording?: boolean;
  /** True if a test of an undefined value fails (docs/templates.md, "Undefined values"). */
  readonly isStrict?: boolean;
}

/** How a condition is checked. */
export interface ConditionOptions {
  /** The text that messages quote, which has the length of the expression's text. */
  readonly source?: string;
  /** The names with which references begin. */
  readonly references?: ReadonlySet<string>;
  readonly isStrict?: boolean;
}

/**
 * Checks all templates of a skill. `context` has the types of the variables that the composer passes. The results are in
 * the order of `templates`; a template with syntax errors has no problems. Never throws.
 */
export function checkTemplates(
  templates: readonly NamedTemplate[],
  context: ReadonlyMap<string, ValueType>,
  { isRecording = false, isStrict = false }: CheckOptions = {},
): readonly CheckedTemplate[] {
  const hasMacros = templates.some(({ scopes }) =>
    scopes.variables.some(({ definitions }) => definitions.some(({ kind }) => kind === 'macro')),
  );
  const calls = hasMacros ? callsIn(templates, context, isStrict) : new Map();
  const walk = new TemplateTypes(templates, context, isRecording ? 'types' : 'problems', calls, isStrict);
  walk.run();
  return templates.map((_, at) => walk.resultOf(at));
}

/**
 * Returns the calls of all macros; undefined if their types do not settle. The first round finds the calls outside of
 * macros. Each of the next rounds walks the macros with the arguments of the calls found so far.
 */
function callsIn(
  templates: readonly NamedTemplate[],
  context: ReadonlyMap<string, ValueType>,
  isStrict: boolean,
): Calls | undefined {
  const open = new Set<Body>();
  let calls: Calls = new Map();
  for (let round = 0; round < 2 * MAX_ROUNDS; round++) {
    const walk = new TemplateTypes(templates, context, 'calls', calls, isStrict, open);
    walk.run();
    const changed = [...walk.found].filter(([body, found]) => !isSameCalls(calls.get(body), found));
    if (changed.length === 0) return calls;
    calls = walk.found;
    // The types of a macro that calls itself with larger and larger values never settle.
    if (round >= MAX_ROUNDS - 1) for (const [body] of changed) open.add(body);
  }
  return undefined;
}

function isSameCalls(one: MacroCalls | undefined, other: MacroCalls): boolean {
  if (!one || one.isOpen !== other.isOpen || one.isCertain !== other.isCertain) return false;
  return (
    one.isOpen ||
    (one.types.size === other.types.size &&
      one.omitted.size === other.omitted.size &&
      one.callers.size === other.callers.size &&
      [...other.types].every(([name, type]) => isSameType(one.types.get(name) ?? ANY, type)))
  );
}

/** Checks a condition, whose truth is tested. Never throws. */
export function checkCondition(
  expression: TemplateExpression,
  context: ReadonlyMap<string, ValueType>,
  { source = expression.text, references, isStrict = false }: ConditionOptions = {},
): CheckedTemplate {
  const problems: TypeProblem[] = [];
  const types = new RecordedTypes();
  const inference = new ExpressionTypes({
    textOf: (place) => sliceOf(source, shift(place, -expression.base)),
    report: (problem) => void problems.push(problem),
    note: (part, type) => types.add(keyAt(part.span), type),
    noteInput: (offset, type) => types.add(`before ${offset}`, type),
    home: () => expression,
    called: () => {},
    assigned: new Set(),
    isStrict,
    ...(references && { references }),
  });
  const environment = Environment.of(context);
  inference.output = undefined;
  inference.tested(expression.expression, environment);
  return { problems: expression.problems.length > 0 ? [] : problems, typeAt: types.typeAt, inputAt: types.inputAt };
}

const keyAt = ({ start, end }: Span): string => `${start}:${end}`;

/** The types of expressions and of the inputs of fields and filters, by their place. */
class RecordedTypes {
  readonly #types = new Map<string, ValueType>();

  add(key: string, type: ValueType): void {
    const known = this.#types.get(key);
    this.#types.set(key, known && known !== type ? unionOf([known, type]) : type);
  }

  readonly typeAt = (place: Span): ValueType | undefined => this.#types.get(keyAt(place));
  readonly inputAt = (offset: number): ValueType | undefined => this.#types.get(`before ${offset}`);
}

/** The types of the arguments of all calls of a macro. `isOpen`: other calls may pass any value. */
interface MacroCalls {
  readonly types: Map<string, ValueType>;
  /** The parameters that a call leaves out. */
  readonly omitted: Set<string>;
  /** The blocks of `{% call %}`, and undefined for a call without a block. */
  readonly callers: Set<CallBlock | undefined>;
  isOpen: boolean;
  /** True if one of the calls always runs. */
  isCertain: boolean;
}

/** The calls of each macro and of the blocks of `{% call %}`, by their body. */
type Calls = Map<Body, MacroCalls>;

/** The number of times that the calls of macros are collected before macros whose types change accept any value. */
const MAX_ROUNDS = 6;

/** The largest number of times that one template, and all templates together, are walked where they are included. */
const MAX_WALKS = 8;
const MAX_ALL_WALKS = 300;

interface State {
  readonly named: NamedTemplate;
  /** Each problem, the number of walks that found it, and the last of them. */
  readonly problems: Map<string, { problem: TypeProblem; times: number; walk: number }>;
  readonly types: RecordedTypes;
  walks: number;
  isOpen: boolean;
}

class TemplateTypes {
  readonly #states: readonly State[];
  readonly #context: ReadonlyMap<string, ValueType>;
  /** The calls of macros, if they are known. */
  readonly #calls: Calls | undefined;
  /** The calls of macros that this walk finds. */
  readonly found: Calls = new Map();
  /** The macros that accept any value. */
  readonly #accepting: ReadonlySet<Body>;
  readonly #phase: 'calls' | 'problems' | 'types';
  readonly #inference: ExpressionTypes;
  readonly #assigned: ReadonlySet<string>;
  /** The names that any template defines. */
  readonly #defined: ReadonlySet<string>;
  /** The names that any template defines outside its loops and macros. */
  readonly #exported: ReadonlySet<string>;
  /** The names of the templates that others include or import. */
  readonly #included: ReadonlySet<string>;
  /** True if macros may be called with arguments that the walk does not see. */
  readonly #hasHiddenCalls: boolean;
  /** True if a template computes the name of another template, so that any template may be loaded. */
  readonly #isDynamic: boolean;
  /** The templates that are being walked, innermost last. */
  readonly #open: State[] = [];
  #walks = 0;
  /** The block of the call that is being checked. */
  #block: CallBlock | undefined;
  /** The names of the variables that the engine passes to each macro. */
  readonly #passed = new Map<Body, ReadonlySet<string>>();
  /** The walks of macros, which see all definitions in their scope. */
  #deferred: (() => void)[] = [];

  constructor(
    templates: readonly NamedTemplate[],
    context: ReadonlyMap<string, ValueType>,
    phase: 'calls' | 'problems' | 'types',
    calls: Calls | undefined,
    isStrict: boolean,
    accepting: ReadonlySet<Body> = new Set(),
  ) {
    this.#states = templates.map((named) => ({
      named,
      problems: new Map(),
      types: new RecordedTypes(),
      walks: 0,
      isOpen: false,
    }));
    this.#context = context;
    this.#calls = calls;
    this.#accepting = accepting;
    this.#phase = phase;
    const uses = templates.flatMap(({ scopes }) => scopes.uses);
    this.#assigned = new Set(uses.flatMap(({ role, path }) => (role === 'assign' ? (path.at(-1)?.name ?? []) : [])));
    this.#defined = new Set(templates.flatMap(({ scopes }) => scopes.variables.map(({ name }) => name)));
    this.#exported = new Set(templates.flatMap(({ scopes }) => scopes.exports.map(({ name }) => name)));
    const references = templates.flatMap(({ scopes }) => scopes.references);
    const included = references.filter(({ statement }) => statement !== 'extends');
    this.#included = new Set(included.flatMap(({ names }) => names.map(({ name }) => name)));
    this.#isDynamic = templates.some(({ scopes }) => scopes.references.some(({ dynamic }) => dynamic));
    const hasVariants = new Set(templates.map(({ name }) => name)).size < templates.length;
    this.#hasHiddenCalls = this.#isDynamic || hasVariants || uses.some(isMacroAsValue);
    this.#inference = new ExpressionTypes({
      textOf: (place) => {
        const { template } = this.#template.named;
        return sliceOf(template.text, shift(place, -template.base));
      },
      report: (problem) => this.#report(problem),
      note: (expression, type) => {
        this.#note(expression.span, type);
      },
      noteInput: (offset, type) => {
        if (this.#phase === 'types') this.#template.types.add(`before ${offset}`, type);
      },
      home: () => this.#template.named,
      called: (macro, args, call) => this.#addCall(macro, args, call),
      assigned: this.#assigned,
      isStrict,
    });
  }

  get #template(): State {
    return this.#open.at(-1) as State;
  }

  /** Walks the templates that no other template loads, then the remaining templates with unknown variables. */
  run(): void {
    const loaded = new Set(
      this.#states.flatMap(({ named }) =>
        named.scopes.references.flatMap(({ names }) => names.map(({ name }) => name)),
      ),
    );
    const roots = this.#isDynamic ? [] : this.#states.filter(({ named }) => !loaded.has(named.name));
    for (const state of roots) this.#walkTemplate(state, Environment.of(this.#context));
    for (const state of this.#states) if (state.walks === 0) this.#walkTemplate(state, this.#unknownEnvironment(state));
  }

  resultOf(at: number): CheckedTemplate {
    const { named, problems, types, walks, isOpen } = this.#states[at] as State;
    // A problem that only some of the including templates cause is not certain.
    const all = [...problems.values()].map(({ problem, times }) =>
      times < walks || isOpen ? { ...problem, isCertain: false } : problem,
    );
    const sorted = all.sort((a, b) => a.span.start - b.span.start);
    return { problems: named.template.problems.length > 0 ? [] : sorted, typeAt: types.typeAt, inputAt: types.inputAt };
  }

  /**
   * The variables of a template that other templates load: the names that they define have unknown values. A template
   * that is only extended sees no variables of loops and macros.
   */
  #unknownEnvironment({ named: { name } }: State): Environment {
    const environment = Environment.of(this.#context);
    const isIncluded = this.#isDynamic || this.#included.has(name);
    for (const one of isIncluded ? this.#defined : this.#exported) environment.define(one, ANY);
    return environment;
  }

  #note(place: Span, type: ValueType): void {
    if (this.#phase === 'types') this.#template.types.add(keyAt(place), type);
  }

  #report(problem: TypeProblem): void {
    const { problems, walks } = this.#template;
    const key = `${problem.kind} ${keyAt(problem.span)}`;
    const known = problems.get(key);
    const times = known?.walk === walks ? known.times : (known?.times ?? 0) + 1;
    problems.set(key, { problem: known?.problem.isCertain ? known.problem : problem, times, walk: walks });
  }

  #walkTemplate(state: State, environment: Environment): void {
    const { template } = state.named;
    state.walks++;
    this.#walks++;
    this.#open.push(state);
    const isExtending = template.nodes.some(({ kind }) => kind === 'extends');
    const before = this.#deferred;
    this.#deferred = [];
    // The extended template may define names, too.
    const start = isExtending ? this.#withUnknown(environment) : environment;
    for (const node of template.nodes) this.#walk(node, start);
    for (const walk of this.#deferred) walk();
    this.#deferred = before;
    this.#open.pop();
  }

  #withUnknown(environment: Environment): Environment {
    for (const name of this.#exported) environment.define(name, ANY);
    return environment;
  }

  #walkBody({ nodes }: Body, environment: Environment): void {
    for (const node of nodes) this.#walk(node, environment);
  }

  #walk(node: Node, environment: Environment): void {
    const inference = this.#inference;
    switch (node.kind) {
      case 'output':
        inference.output = node.value;
        inference.printed(node.value, environment);
        inference.output = undefined;
        break;
      case 'if':
        this.#walkIf(node, environment);
        break;
      case 'for':
        this.#walkFor(node, environment);
        break;
      case 'set':
        this.#bind(
          node.target,
          asCondition(inference.typeOf(node.value, environment), node.value),
          environment,
          node.value,
        );
        break;
      case 'set-block':
        this.#walkBody(node.body, environment);
        this.#bind(node.target, node.filter ? inference.typeOf(node.filter, environment) : STRING, environment);
        break;
      case 'with': {
        const inner = environment.with();
        for (const { target, value } of node.assignments) {
          this.#bind(target, asCondition(inference.typeOf(value, inner), value), inner, value);
        }
        this.#walkBody(node.body, inner);
        break;
      }
      case 'filter-block':
        this.#walkBody(node.body, environment);
        inference.printed(node.filter, environment);
        break;
      case 'autoescape':
        inference.typeOf(node.enabled, environment);
        this.#walkBody(node.body, environment);
        break;
      case 'macro':
        environment.define(node.name.text, { ...CALLABLE, macro: node });
        this.#walkMacro(node, environment);
        break;
      case 'call-block':
        this.#block = node;
        inference.strict(node.call, environment);
        this.#block = undefined;
        this.#walkCaller(node, environment);
        break;
      case 'block':
        inference.sometimes(() => this.#walkBody(node.body, environment.with()));
        break;
      case 'include':
        this.#walkInclude(node, environment);
        break;
      case 'extends':
        inference.typeOf(node.template, environment);
        break;
      case 'import':
        inference.typeOf(node.template, environment);
        this.#bind(node.target, this.#moduleOf(node, environment), environment);
        break;
      case 'from-import':
        this.#walkFromImport(node, environment);
        break;
      case 'do':
        inference.typeOf(node.call, environment);
        break;
    }
  }

  #walkIf({ branches, otherwise }: If, environment: Environment): void {
    const inference = this.#inference;
    const ends: Environment[] = [];
    const rest = environment.with();
    // True after a branch whose condition is true for every value, so that later branches do not run.
    let isLast = false;
    for (const [at, { condition, body }] of branches.entries()) {
      const check = () => inference.tested(condition, rest);
      if (at === 0) check();
      else inference.sometimes(check);
      const facts = factsOf(condition, true, rest);
      const inner = rest.with(facts);
      inference.sometimes(() => this.#walkBody(body, inner));
      if (!isLast && !rest.excludes(facts)) ends.push(inner);
      const opposite = factsOf(condition, false, rest);
      isLast ||= rest.excludes(opposite);
      for (const fact of opposite) rest.prove(fact);
    }
    if (otherwise) inference.sometimes(() => this.#walkBody(otherwise, rest));
    const flags = branches.length === 1 && !otherwise ? flagsSetIn(branches[0], environment) : [];
    environment.merge(isLast && ends.length > 0 ? ends : [...ends, rest]);
    for (const { name, condition } of flags)
      environment.define(name, { ...(environment.typeOf(name) ?? ANY), condition });
  }

  #walkFor(node: For, environment: Environment): void {
    const { target, iterable, condition, body, otherwise } = node;
    const inference = this.#inference;
    const type = inference.looped(iterable, environment);
    inference.refuse(
      type,
      NOT_ITERABLE,
      iterable.span,
      (nouns, isAlways) =>
        `\`${inference.textOf(iterable)}\` ${isAlways ? 'is' : 'may be'} ${nouns}, and a loop needs a list, an object or a string.`,
    );
    const item = itemOf(type);
    const inner = environment.with();
    const bind = () => this.#bind(target, item, inner, iterable, type);
    if (presentFields(type) > 0) bind();
    else inference.sometimes(bind);
    inference.sometimes(() => {
      if (condition) inference.tested(condition, inner);
      const looped = inner.with(condition ? factsOf(condition, true, inner) : []);
      // A condition makes a list of the items that remain.
      const isText = hasKind(type, 'string');
      const isUnsized = !condition && (isText || mayBeIterator(type));
      const isListable = isOnly(type, 'string', 'list', 'null') && (!hasKind(type, 'list') || mayBeIterator(type));
      const isAlways = isListable && !type.list?.isPartly;
      const origin = type.list?.origin;
      const unsized = isUnsized
        ? { part: { iterable, origin, isAlways, isListable, isText }, home: this.#template.named }
        : undefined;
      const loop = loopOf(item, node.recursive, unsized);
      looped.define('loop', loop);
      this.#note(node.tag.span, loop);
      // The variables that the body sets keep their values in the next iteration.
      for (const name of namesSetIn(body)) {
        const before = looped.typeOf(name);
        if (before) looped.define(name, ANY);
      }
      this.#walkBody(body, looped);
      const last = environment.with();
      if (otherwise) this.#walkBody(otherwise, last);
      environment.merge([last, environment.with()]);
    });
  }

  /** Sets the variables of a target. `loop` is the type of the list whose items are unpacked. */
  #bind(
    target: AssignmentTarget,
    type: ValueType,
    environment: Environment,
    value?: Expression,
    loop?: ValueType,
  ): void {
    const inference = this.#inference;
    if (target.kind === 'name') {
      environment.define(target.name, type);
      this.#note(target.span, type);
      return;
    }
    if (target.kind === 'attribute') {
      const receiver = inference.strict(target.receiver, environment);
      const isPlain =
        isOnly(receiver, 'string', 'number', 'boolean', 'list', 'null') ||
        (isOnly(receiver, 'map') && receiver.map?.isNamespace === undefined && receiver.map !== undefined);
      if (isPlain && !isAny(receiver)) {
        inference.report({
          kind: 'refused-value',
          span: target.receiver.span,
          isCertain: inference.conditions === 0,
          message: `\`${inference.textOf(target.receiver)}\` is ${nounsOf(receiver.kinds)}, and only a \`namespace()\` accepts \`set\`.`,
          fixes: [],
        });
        // The fields that the author meant to set are not reported, too.
        const { base } = pathOf(target.receiver);
        if (base.kind === 'name') environment.define(base.name, ANY);
      }
      return;
    }
    const unpacked = value ? inference.use(type, 'strict', value) : type;
    const length = unpacked.list?.tuple?.length;
    // An object is unpacked into its keys.
    const isTooLarge = presentFields(unpacked) > target.items.length;
    const isRefused = isTooLarge || [...unpacked.kinds].every((kind) => NOT_UNPACKED.has(kind));
    const isWrongLength = isOnly(unpacked, 'list') && length !== undefined && length !== target.items.length;
    if (value && (isRefused || isWrongLength)) {
      const isMap = loop !== undefined && isOnly(loop, 'map');
      const text = inference.textOf(value);
      const edit = { span: { start: value.span.end, end: value.span.end }, newText: ' | items' };
      inference.report({
        kind: 'refused-value',
        span: isMap ? value.span : target.span,
        isCertain: inference.conditions === 0,
        message: isMap
          ? `A loop over the object \`${text}\` yields its keys. Use \`${text} | items\` for keys and values.`
          : isWrongLength
            ? `${target.items.length} names cannot take ${loop ? `items of \`${text}\`, which have` : `\`${text}\`, which has`} ${length} values.`
            : `${loop ? `An item of \`${text}\`` : `\`${text}\``} is ${nounsOf(unpacked.kinds)} and cannot be unpacked.`,
        fixes: isMap && target.items.length === 2 ? [{ title: 'Add `| items`', edits: [edit] }] : [],
      });
    }
    for (const [at, item] of target.items.entries()) {
      const known =
        isOnly(unpacked, 'list') && !isWrongLength ? (unpacked.list?.tuple?.[at]?.() ?? itemOf(unpacked)) : ANY;
      this.#bind(item, isMapKey(unpacked) ? STRING : known, environment);
    }
  }

  // Macros.

  #addCall(macro: Macro, args: ReadonlyMap<string, ValueType> | undefined, call: Call): void {
    if (this.#block?.call === call && !this.#usesCaller(macro)) {
      this.#inference.report({
        kind: 'argument',
        span: call.callee.span,
        isCertain: this.#inference.conditions === 0,
        message: `The macro \`${macro.name.text}\` does not use \`caller\`, so a \`{% call %}\` block fails.`,
        fixes: [],
      });
    }
    if (this.#phase !== 'calls') return;
    const calls: MacroCalls = this.found.get(macro.body) ?? {
      types: new Map(),
      omitted: new Set(),
      callers: new Set(),
      isOpen: this.#accepting.has(macro.body),
      isCertain: false,
    };
    this.found.set(macro.body, calls);
    calls.callers.add(this.#block?.call === call ? this.#block : undefined);
    calls.isCertain ||= this.#inference.conditions === 0;
    if (!args) calls.isOpen = true;
    for (const { name } of args ? macro.parameters : []) {
      const type = args?.get(name.text);
      const known = calls.types.get(name.text);
      if (!type) calls.omitted.add(name.text);
      else calls.types.set(name.text, known ? unionOf([known, type]) : type);
    }
  }

  #usesCaller({ body }: Macro): boolean {
    const state = this.#states.find(({ named }) => named.scopes.uses.length > 0 && contains(named.template, body));
    return state?.named.scopes.uses.some(({ name, span }) => name === 'caller' && isInside(span, body.span)) ?? true;
  }

  /** Returns the calls of a macro or block; undefined if they are unknown. */
  #callsOf({ body }: Macro | CallBlock): MacroCalls | undefined {
    const calls = this.#hasHiddenCalls ? undefined : this.#calls?.get(body);
    return calls?.isOpen ? undefined : calls;
  }

  #walkMacro(macro: Macro, environment: Environment): void {
    const calls = this.#callsOf(macro);
    const state = this.#template;
    this.#deferred.push(() => {
      this.#open.push(state);
      this.#walkCalled(macro, environment, (inner) => inner.define('caller', calls ? callerOf(calls) : ANY));
      this.#open.pop();
    });
  }

  #walkCaller(block: CallBlock, environment: Environment): void {
    this.#walkCalled(block, environment, () => {});
  }

  /** Walks the body of a macro or of the block of a call, with the types of the arguments that its calls pass. */
  #walkCalled(macro: Macro | CallBlock, environment: Environment, prepare: (inner: Environment) => void): void {
    // A macro without a call does not run.
    if (this.#phase === 'calls' && !this.#hasHiddenCalls && !this.#calls?.has(macro.body)) return;
    const calls = this.#callsOf(macro);
    const { conditions } = this.#inference;
    this.#inference.conditions = calls?.isCertain ? 0 : conditions + 1;
    const name = macro.kind === 'macro' ? macro.name.text : 'call';
    const inner = environment.closed(this.#passedTo(macro), undefinedFor({ reason: 'closure', name }));
    for (const { name: parameter, default: value } of macro.parameters.toReversed()) {
      const fallback = value && this.#inference.typeOf(value, inner);
      const type = calls ? argumentOf(parameter, calls, fallback) : ANY;
      inner.define(parameter.text, type);
      this.#note(parameter.span, type);
    }
    prepare(inner);
    this.#walkBody(macro.body, inner);
    this.#inference.conditions = conditions;
  }

  #passedTo(macro: Macro | CallBlock): ReadonlySet<string> {
    const known = this.#passed.get(macro.body) ?? closureOf(macro);
    this.#passed.set(macro.body, known);
    return known;
  }

  // Other templates.

  #statesOf(template: Expression, node: { readonly span: Span }): readonly State[] | undefined {
    const { names, dynamic } = referenceOf('include', template, node.span);
    return dynamic ? undefined : this.#states.filter(({ named }) => names.some(({ name }) => name === named.name));
  }

  #walkInclude(node: Include, environment: Environment): void {
    const type = this.#inference.typeOf(node.template, environment);
    this.#inference.refuse(
      without(type, 'undefined'),
      NOT_A_NAME,
      node.template.span,
      (nouns, isAlways) =>
        `\`${this.#inference.textOf(node.template)}\` ${isAlways ? 'is' : 'may be'} ${nouns}, and a template's name is a string.`,
    );
    const states = this.#statesOf(node.template, node);
    const ends: Environment[] = [];
    for (const state of states ?? []) {
      const inner = this.#load(state, environment, states?.length === 1 && !node.ignoreMissing);
      if (inner) ends.push(inner);
      else this.#defineUnknown(state, environment);
    }
    if (states === undefined) for (const state of this.#states) this.#defineUnknown(state, environment);
    else environment.merge(ends);
  }

  /** Walks a template that another one loads. Returns the layer of its variables, or undefined at a limit. */
  #load(state: State, environment: Environment, isOnlyOne: boolean): Environment | undefined {
    if (this.#open.includes(state) || state.walks >= MAX_WALKS || this.#walks >= MAX_ALL_WALKS) {
      state.isOpen = true;
      return undefined;
    }
    const inner = environment.with();
    const walk = () => this.#walkTemplate(state, inner);
    if (isOnlyOne) walk();
    else this.#inference.sometimes(walk);
    return inner;
  }

  #defineUnknown({ named }: State, environment: Environment): void {
    for (const { name } of named.scopes.exports) environment.define(name, ANY);
  }

  /** Returns the type of an imported template: a map of its variables and macros. */
  #moduleOf(node: Import | FromImport, environment: Environment): ValueType {
    const states = this.#statesOf(node.template, node);
    const [state] = states ?? [];
    if (!state || states?.length !== 1) return ANY;
    const loaded = this.#load(state, environment, true);
    const macros = new Map<string, Macro>();
    for (const one of allNodes(state.named.template.nodes)) if (one.kind === 'macro') macros.set(one.name.text, one);
    const isExtending = state.named.scopes.references.length > 0;
    const fields = state.named.scopes.exports.map(({ name, definitions }) => {
      const macro = definitions.length === 1 && definitions[0]?.kind === 'macro' ? macros.get(name) : undefined;
      return [name, () => (macro ? { ...CALLABLE, macro } : (loaded?.own.get(name) ?? ANY))] as const;
    });
    return mapOf(new Map(fields), isExtending);
  }

  #walkFromImport(node: FromImport, environment: Environment): void {
    this.#inference.typeOf(node.template, environment);
    const module = this.#moduleOf(node, environment);
    for (const { name, alias = name } of node.names) {
      const expression: Expression = { kind: 'name', name: name.text, span: name.span };
      const type = this.#inference.member(module, name.text, expression);
      environment.define(alias.text, name.text === '' ? ANY : type);
      this.#note(alias.span, type);
    }
  }
}

/** Returns the type of a parameter. `fallback` is the type of its default. */
function argumentOf(name: Name, { types, omitted }: MacroCalls, fallback: ValueType | undefined): ValueType {
  const expression: Expression = { kind: 'name', name: name.text, span: name.span };
  const absence = { reason: 'argument', expression } as const;
  const given = types.get(name.text);
  const isOmitted = omitted.has(name.text);
  if (!given) return fallback ?? undefinedFor(absence);
  if (!fallback) return isOmitted ? orUndefined(given, absence) : given;
  const passed = without(given, 'undefined');
  if (!isOmitted && !hasKind(given, 'undefined')) return given;
  return isOnly(given, 'undefined') ? fallback : unionOf([passed, fallback]);
}

const contains = ({ nodes }: Template, body: Body): boolean => {
  for (const node of allNodes(nodes)) if ('body' in node && node.body === body) return true;
  return false;
};
const isInside = (inner: Span, outer: Span): boolean => inner.start >= outer.start && inner.end <= outer.end;

/** Returns the type of `caller` in a macro. */
function callerOf({ callers }: MacroCalls): ValueType {
  const blocks = [...callers].flatMap((block) => block ?? []);
  const [block] = blocks;
  const absence = { reason: 'caller' } as const;
  if (!block) return undefinedFor(absence);
  const { parameters, body, span } = block;
  const macro: Macro = { ...block, kind: 'macro', name: { text: 'caller', span }, parameters, body };
  const type = blocks.length === 1 ? { ...CALLABLE, macro } : CALLABLE;
  return callers.has(undefined) ? orUndefined(type, absence) : type;
}

const kindsOf = (...kinds: readonly Kind[]): ReadonlySet<Kind> => new Set(kinds);
const NOT_ITERABLE = kindsOf('boolean', 'number', 'callable');
const NOT_UNPACKED = kindsOf('boolean', 'number', 'string', 'null');
const NOT_A_NAME = kindsOf('boolean', 'number', 'null', 'map');

/** Returns true for a macro, or an imported name, that is used as a value. */
const isMacroAsValue = ({ role, path, variable }: NameUse): boolean =>
  role === 'read' &&
  path.length === 0 &&
  variable?.definitions.some(({ kind }) => kind === 'macro' || kind === 'import') === true;

const isMapKey = (type: ValueType): boolean => isOnly(type, 'map');

/** Returns the type of a variable that is set to a condition. */
const asCondition = (type: ValueType, value: Expression): ValueType =>
  ['name', 'attribute', 'item', 'test', 'binary', 'unary', 'filter', 'conditional'].includes(value.kind) ||
  isBoolean(value, false)
    ? { ...type, condition: value }
    : type;

/**
 * Returns the variables that are true after an `if` exactly if its condition holds: `{% if a %}{% set b = true %}{% endif %}`
 * where `b` was false or not set before, and `a` keeps its value.
 */
function flagsSetIn(
  branch: Branch | undefined,
  environment: Environment,
): readonly { readonly name: string; readonly condition: Expression }[] {
  if (!branch) return [];
  const { condition, body } = branch;
  const set = namesSetIn(body);
  if ([...pathKeysIn(condition)].some((key) => set.has(key.split('\0', 1)[0] ?? ''))) return [];
  return body.nodes.flatMap((node, at) => {
    if (node.kind !== 'set' || node.target.kind !== 'name' || !isBoolean(node.value, true)) return [];
    const { name } = node.target;
    const before = environment.typeOf(name);
    const wasFalse = !before || isBoolean(before.condition, false);
    const isLast = !namesSetIn({ ...body, nodes: body.nodes.slice(at + 1) }).has(name);
    return wasFalse && isLast ? [{ name, condition }] : [];
  });
}

const isBoolean = (value: Expression | undefined, wanted: boolean): boolean =>
  value?.kind === 'literal' && value.value === wanted;

/** Returns the number of fields that are always present in an object. */
const presentFields = (type: ValueType): number =>
  isOnly(type, 'map')
    ? [...(type.map?.names() ?? [])].filter((name) => !hasKind(type.map?.field(name) ?? ANY, 'any', 'undefined')).length
    : 0;

/** Returns the names that a body sets, except in its inner scopes. */
function namesSetIn(body: Body): ReadonlySet<string> {
  const names = new Set<string>();
  for (const node of allNodes(body.nodes)) {
    if (node.kind !== 'set' && node.kind !== 'set-block') continue;
    const pending: AssignmentTarget[] = [node.target];
    for (let target = pending.pop(); target !== undefined; target = pending.pop()) {
      if (target.kind === 'name') names.add(target.name);
      else if (target.kind === 'targets') pending.push(...target.items);
    }
  }
  return names;
}
