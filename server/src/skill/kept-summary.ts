/**
 * A summary as it is kept of a file that nobody edits. What is made of a file's text holds the whole text, since a string
 * that was cut out of another one is a view of it; and a schema as objects takes eight times the room of its JSON. So
 * strings are made anew, each once, and what is looked at for the neighbours of a skill alone waits as JSON: 12 KB of
 * heap for a skill of 4 KB became 2.
 */
import { flat } from '../languages/markdown/flat.ts';
import { isList } from '../languages/schema/model.ts';
import { type Json, put } from '../languages/yaml/node.ts';
import type { ComposedSkill, SkillSummary } from './summary.ts';

/** What walks over many skills never look at. */
type Rare = Pick<SkillSummary, 'inputs' | 'outputs' | 'sunset' | 'allowedRoles' | 'interrupts' | 'execution'>;

export const keptSummary = (summary: SkillSummary): SkillSummary =>
  summary instanceof KeptSummary ? summary : new KeptSummary(summary);

/** What was looked at last: the rules ask for the same few again and again, and the same object should come back. */
const recent = new Map<KeptSummary, Rare>();
const MAX_RECENT = 64;

class KeptSummary implements SkillSummary {
  readonly dialect: SkillSummary['dialect'];
  readonly broken: boolean;
  readonly name: string | undefined;
  readonly version: string | undefined;
  readonly level: number | undefined;
  readonly deprecated: boolean;
  readonly successor: string | undefined;
  readonly isTool: boolean;
  readonly requiredScopes: readonly string[];
  readonly effects: readonly string[];
  readonly operation: string | undefined;
  readonly policy: SkillSummary['policy'];
  readonly composes: readonly ComposedSkill[];
  readonly requires: SkillSummary['requires'];
  readonly mentions: readonly string[];
  readonly #rare: string;

  constructor(summary: SkillSummary) {
    const { sunset, inputs, outputs, allowedRoles, interrupts, execution, policy, ...often } = summary;
    const anew = JSON.parse(JSON.stringify(often)) as typeof often;
    const once = createOnce();
    this.dialect = summary.dialect;
    this.broken = summary.broken;
    this.name = anew.name === undefined ? undefined : once(anew.name);
    this.version = anew.version;
    this.level = anew.level;
    this.deprecated = summary.deprecated;
    this.successor = anew.successor;
    this.isTool = summary.isTool;
    this.requiredScopes = shared(anew.requiredScopes);
    this.effects = shared(anew.effects);
    this.operation = anew.operation;
    this.policy = anewOf(policy);
    this.composes = list(
      summary.composes.map(({ inputMapping, outputMapping }, i) => {
        const { skill = '', step = '' } = anew.composes[i] ?? {};
        const mappings = { inputMapping: anewOf(inputMapping), outputMapping: anewOf(outputMapping) };
        return { skill: once(skill), step: once(step), ...mappings };
      }),
    );
    this.requires = list(anew.requires.map(({ skill, range }) => ({ skill: once(skill), range })));
    this.mentions = list(anew.mentions.map(once));
    this.#rare = rareToText({ inputs, outputs, sunset, allowedRoles, interrupts, execution });
  }

  #read(): Rare {
    const known = recent.get(this);
    if (known) return known;
    const rare = rareFromText(this.#rare);
    if (recent.size >= MAX_RECENT) recent.clear();
    recent.set(this, rare);
    return rare;
  }

  get sunset() {
    return this.#read().sunset;
  }

  get inputs() {
    return this.#read().inputs;
  }

  get outputs() {
    return this.#read().outputs;
  }

  get allowedRoles() {
    return this.#read().allowedRoles;
  }

  get interrupts() {
    return this.#read().interrupts;
  }

  get execution() {
    return this.#read().execution;
  }
}

/** Without its keys, which are the same for all, it is half as long. */
const rareToText = ({ inputs, outputs, sunset, allowedRoles, interrupts, execution }: Rare): string =>
  flat(
    JSON.stringify([
      ...[inputs?.digest, inputs?.fields, outputs?.digest, outputs?.fields],
      ...[sunset, allowedRoles, interrupts, execution],
    ]),
  );

/** What is not there has become a null. */
type Written<T> = T | null;

function rareFromText(text: string): Rare {
  const [input, inputFields, output, outputFields, sunset, allowedRoles, interrupts, execution] = JSON.parse(text) as [
    ...[Written<string>, Written<readonly string[]>, Written<string>, Written<readonly string[]>],
    ...[Written<string>, Rare['allowedRoles'], Rare['interrupts'], Written<NonNullable<Rare['execution']>>],
  ];
  return {
    inputs: input === null ? undefined : { fields: inputFields ?? undefined, digest: input },
    outputs: output === null ? undefined : { fields: outputFields ?? undefined, digest: output },
    sunset: sunset ?? undefined,
    allowedRoles,
    interrupts,
    execution: execution ?? undefined,
  };
}

/** The same value, of strings of its own. Numbers are taken over one by one, as JSON knows no infinite ones. */
function anewOf(value: Json): Json {
  if (typeof value === 'string') return JSON.parse(JSON.stringify(value)) as string;
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.map(anewOf);
  const made: Record<string, Json> = {};
  for (const [key, item] of Object.entries(value)) put(made, key, anewOf(item));
  return made;
}

/** Gives the same string for every equal one. */
function createOnce(): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    known.set(text, text);
    return text;
  };
}

/** Scopes and effects: few lists, of few names, in every skill. Bounded, since nothing tells when one is used no more. */
const names = new Map<string, string>();
const lists = new Map<string, readonly string[]>();
const MAX_KNOWN = 1_000;

const shared = (items: readonly string[]): readonly string[] =>
  items.length === 0
    ? NONE
    : recall(lists, items.join('\n'), () => items.map((item) => recall(names, item, () => item)));

function recall<T>(known: Map<string, T>, key: string, make: () => T): T {
  const before = known.get(key);
  if (before !== undefined) return before;
  if (known.size >= MAX_KNOWN) known.clear();
  const made = make();
  known.set(key, made);
  return made;
}

const NONE: readonly never[] = [];

const list = <T>(items: readonly T[]): readonly T[] => (items.length > 0 ? items : NONE);
