/** Formats the planner catalog as a prompt within a token budget (docs/registry.md, "The planner catalog"). */
import { formatNumber } from '../format-amounts.ts';
import { renderOwn } from '../scaffold/scaffold.ts';
import type { PlannerEntry } from './entry.ts';
import source from './planner-catalog.md.njk';

/** The version of the prompt format, as stated in the prompt. */
const FORM = 1;

/** The default budget, in tokens. */
export const MAX_TOKENS = 6000;

/** The parts of an entry after its name. To shorten the prompt, the last parts are removed first. */
const PARTS = ['purpose', 'schemas', 'examples'] as const;
type EntryField = (typeof PARTS)[number];

/**
 * The number of entries that are kept, counted from the start, and the number of entries that keep each part.
 */
type KeptCounts = Readonly<Record<EntryField | 'entries', number>>;

export interface PlannerPrompt {
  readonly text: string;
  /** The number of removed entries, and the number of entries that lost each part. */
  readonly cut: KeptCounts;
}

/** A prompt that can be cut to its budget after the tokens in its strings are counted. */
export interface PlannerDraft {
  /** The strings whose tokens must be counted. */
  readonly texts: readonly string[];
  /**
   * Returns the prompt with at most `maxTokens` tokens; undefined if not even the text around the entries fits. Removes
   * examples first, then schemas, purposes and whole entries, each from the end. `counts` are the token counts of
   * `texts`.
   */
  within(maxTokens: number, counts: readonly number[]): PlannerPrompt | undefined;
}

/** The minimum number of tokens in an entry: its heading consists of line breaks, `##` and a name. */
const LEAST_TOKENS = 4;

/**
 * Returns the draft of a prompt. Calls `entryOf` only for the skills that can fit. `isSelection` is true if the skills
 * are only the candidates for one request and not all skills of the workspace.
 */
export function plannerDraft<Skill>(
  skills: readonly Skill[],
  entryOf: (skill: Skill) => PlannerEntry,
  { maxTokens, isSelection }: { readonly maxTokens: number; readonly isSelection: boolean },
): PlannerDraft {
  const blocks = skills.slice(0, Math.ceil(maxTokens / LEAST_TOKENS)).map((skill) => blockOf(entryOf(skill)));
  const renderFrame = (closing: string | undefined, shown: readonly object[] = []): string =>
    renderOwn(source, { form: FORM, entries: shown, closing });
  const render = (kept: KeptCounts): string =>
    renderFrame(
      closingLine(skills.length - kept.entries, isSelection),
      blocks.slice(0, kept.entries).map((block, at) => ({
        name: block.name,
        lines: PARTS.flatMap((part) => (at < kept[part] ? block[part] : [])),
      })),
    );
  const nothing: KeptCounts = { entries: 0, purpose: 0, schemas: 0, examples: 0 };
  // The closing line states the number of omitted entries, so the line is longest if all entries are omitted.
  const frames = [render(nothing), renderFrame(closingLine(0, isSelection))];
  const texts = [
    ...frames,
    ...blocks.map(headOf),
    ...PARTS.flatMap((part) => blocks.map((block) => textOf(block[part]))),
  ];
  return {
    texts,
    within: (limit, counts) => {
      const [cutFrame = 0, wholeFrame = 0, ...costs] = counts;
      const row = (at: number): readonly number[] => costs.slice(at * blocks.length, (at + 1) * blocks.length);
      const keep = (frame: number): KeptCounts =>
        keepWithin(
          limit - frame,
          row(0),
          PARTS.map((_, at) => row(at + 1)),
        );
      const all = keep(wholeFrame);
      const kept = all.entries === skills.length ? all : keep(cutFrame);
      if ((kept === all ? wholeFrame : cutFrame) > limit) return undefined;
      return { text: render(kept), cut: cutOf(skills.length, blocks, kept) };
    },
  };
}

type EntryLines = { readonly name: string } & Readonly<Record<EntryField, readonly string[]>>;

function blockOf({ name, purpose, input, output, errors, examples }: PlannerEntry): EntryLines {
  const codes = errors.map(({ code, retry }) => (retry === undefined ? code : `${code} (${retry})`));
  return {
    name: inLine(name),
    purpose: purpose === undefined ? [] : [asProse(purpose)],
    schemas: [
      ...(input ? [`input: ${JSON.stringify(input)}`] : []),
      ...(output ? [`output: ${JSON.stringify(output)}`] : []),
      ...(codes.length > 0 ? [`errors: ${inLine(codes.join(', '))}`] : []),
    ],
    examples: examples.map((example) => `example: ${JSON.stringify({ input: example.input, output: example.output })}`),
  };
}

/** Escapes text that would start a heading, a comment or a code fence. */
const asProse = (text: string): string => inLine(text).replace(/^(?=#|<!--|`{3}|~{3})/, '\\');

const inLine = (text: string): string => text.trim().replace(/\s+/g, ' ');

const headOf = ({ name }: EntryLines): string => `\n## ${name}\n`;

const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

/**
 * Returns how many entries and parts fit, counted from the first entry. A kind of part is included only if all earlier
 * kinds fit completely.
 */
function keepWithin(budget: number, heads: readonly number[], parts: readonly (readonly number[])[]): KeptCounts {
  let left = budget;
  let isWhole = true;
  const fitting = (costs: readonly number[]): number => {
    if (!isWhole) return 0;
    const end = costs.findIndex((cost) => {
      left -= cost;
      return left < 0;
    });
    isWhole = end < 0;
    return isWhole ? costs.length : end;
  };
  const entries = fitting(heads);
  const [purpose = 0, schemas = 0, examples = 0] = parts.map(fitting);
  return { entries, purpose, schemas, examples };
}

function cutOf(entries: number, blocks: readonly EntryLines[], kept: KeptCounts): KeptCounts {
  const lost = (part: EntryField): number =>
    blocks.slice(0, kept.entries).filter((block, at) => at >= kept[part] && block[part].length > 0).length;
  return {
    entries: entries - kept.entries,
    purpose: lost('purpose'),
    schemas: lost('schemas'),
    examples: lost('examples'),
  };
}

function closingLine(left: number, isSelection: boolean): string | undefined {
  if (left === 0 && !isSelection) return undefined;
  const more = left === 0 ? '' : `${formatNumber(left)} more ${left === 1 ? 'skill is' : 'skills are'} not listed. `;
  return `${more}If none of these fits, describe in a few words what is needed, and ask for more skills.`;
}
