/** The rows of the skills view, and the details of one skill. */

import type { Analysis } from '../analysis/analysis.ts';
import type { ListLoss } from '../analysis/not-listed.ts';
import { isDisabledHere } from '../analysis/permissions.ts';
import { routingCases } from '../analysis/routing.ts';
import { heaviestSkills } from '../clients/matrix/budget.ts';
import { spanOfCause } from '../clients/matrix/cause-span.ts';
import { entryText, listText } from '../clients/matrix/limit-text.ts';
import { estimateTokens } from '../composer/tokens-estimate.ts';
import { findFences } from '../languages/yaml/frontmatter.ts';
import { listed } from '../nearest.ts';
import type { ListedSkill, SkillDetailsReply, UnlistedSkill } from '../protocol.ts';
import type { FileEntry, SkillFile } from '../skill/skill-file.ts';
import { listTests } from '../testing/list-tests.ts';
import { closingLinesOf, isSkillDialect, nameFromUri } from '../vocabulary/dialect.ts';
import { levelsOf } from '../workspace/order.ts';
import { isInWorkspace } from '../workspace/workspace-index.ts';
import { describeComposition } from './hover/describe-composition.ts';
import { describeFile } from './hover/describe-names.ts';
import type { Locate } from './locate.ts';
import { type Markdown, markup, md, paragraphs } from './markdown.ts';

/** The facts that are slow to compute. */
type Counted = Pick<ListedSkill, 'tokens' | 'tests'>;

/** Creates the rows of the list. Caches counts that are slow to compute until the text of the file changes. */
export class SkillRows {
  readonly #counted = new WeakMap<FileEntry, Counted>();

  /** Returns the row of a file; undefined if the file is not a skill or was deleted. */
  find(analysis: Analysis, uri: string): ListedSkill | undefined {
    const skill = analysis.graph.skills.get(uri);
    const entry = skill && analysis.index.files.get(uri);
    if (!entry || !isSkillDialect(entry.dialect)) return undefined;
    const { version, deprecated } = skill.summary;
    const isAgentSkill = entry.dialect === 'agent-skill';
    return {
      uri,
      name: skill.summary.name ?? nameFromUri(uri),
      dialect: entry.dialect,
      isInWorkspace: isInWorkspace(analysis.graph, uri),
      version: version ?? null,
      level: isAgentSkill ? null : (levelsOf(analysis.graph, skill).get(uri) ?? 1),
      isDeprecated: deprecated,
      isDisabled: isDisabledHere(analysis, skill),
      ...lossesOf(analysis, uri),
      ...this.#count(analysis, entry),
    };
  }

  #count(analysis: Analysis, entry: FileEntry): Counted {
    const known = this.#counted.get(entry);
    if (known) return known;
    const { dialect, text } = entry;
    const counted: Counted = {
      tokens:
        dialect === 'contract' ? null : estimateTokens(text.slice(findFences(text, closingLinesOf(dialect)).bodyStart)),
      tests: this.#countTests(analysis, entry),
    };
    this.#counted.set(entry, counted);
    return counted;
  }

  #countTests(analysis: Analysis, entry: FileEntry): number | null {
    if (entry.summary.broken) return null;
    if (hasNoTests(entry)) return 0;
    return analysis.file(entry.uri)?.derive(countTests) ?? null;
  }
}

function lossesOf({ listLosses }: Analysis, uri: string): Pick<ListedSkill, 'notListedBy' | 'cutBy' | 'onlyFor'> {
  const losses = listLosses.find(uri);
  const namesOf = (wanted: ListLoss['kind']) =>
    losses?.flatMap(({ kind, client }) => (kind === wanted ? client.name : [])) ?? [];
  const onlyFor = listLosses.onlyFor(uri).map(({ name }) => name);
  return { notListedBy: losses ? namesOf('not-listed') : null, cutBy: namesOf('cut'), onlyFor };
}

/** Returns whether a file has no tests. Reads only the index entry, so that the file need not be parsed. */
const hasNoTests = ({ dialect, words }: FileEntry): boolean =>
  dialect === 'agent-skill' && !words.hasSamples && !words.hasRoutingCases;

/** Counts the tests in the file itself. Evals are in separate files. */
const countTests = (file: SkillFile): number => listTests(file).length + routingCases(file).length;

export function skillDetails(analysis: Analysis, uri: string, locate: Locate): SkillDetailsReply | undefined {
  const file = analysis.file(uri);
  if (!file?.isSkill) return undefined;
  const { name } = file.contract;
  const description = paragraphs(
    describeFile(analysis, file, nameOf(file)),
    describeLosses(analysis, file),
    describeComposition(analysis, uri),
  );
  return { description: markup(description), nameRange: name ? locate.range(file, name.span) : null };
}

const nameOf = ({ summary, uri }: SkillFile): string => summary.name ?? nameFromUri(uri);

// The skills that target clients do not list, or list only in part.

const LOSSES = [
  { kind: 'not-listed', label: 'Not listed by' },
  { kind: 'cut', label: 'Cut by' },
] as const;
const ELSEWHERE = { kind: 'elsewhere', label: 'Not in a folder of' } as const;

/** Names the target clients that do not list a `SKILL.md`, and those that cut it, with the reasons. */
function describeLosses(analysis: Analysis, { uri }: SkillFile): Markdown {
  const lines = [...LOSSES, ELSEWHERE].flatMap(({ kind, label }) =>
    reasonsFor(analysis, uri, kind).map(({ clients, text }) => md`${label} ${listed(clients)}: ${text}`),
  );
  return paragraphs(...lines);
}

/** Yields the skills that target clients do not list, then those that they cut, each group sorted by name. */
export function* unlistedSkills(analysis: Analysis, locate: Locate): Iterable<UnlistedSkill> {
  const nameOfUri = (uri: string): string => analysis.graph.skills.get(uri)?.summary.name ?? nameFromUri(uri);
  const named = [...analysis.listLosses.lossy].map(([uri, losses]) => ({ uri, losses, name: nameOfUri(uri) }));
  named.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.uri < b.uri ? -1 : 1));
  for (const { kind } of LOSSES) {
    if (kind === 'cut') yield* overfullLists(analysis, locate);
    for (const { uri, name, losses } of named) {
      const first = losses.find((loss) => loss.kind === kind);
      const file = first && analysis.file(uri);
      if (!file) continue;
      const cause = first.reason?.cause ?? { code: 'entry/cut' as const, key: 'description' };
      const range = locate.range(file, spanOfCause(file, cause));
      yield { uri, name, kind, reasons: reasonsFor(analysis, uri, kind), range };
    }
  }
}

/** Yields the skill with the longest description of each list that loses descriptions of unknown skills. */
function* overfullLists(analysis: Analysis, locate: Locate): Iterable<UnlistedSkill> {
  for (const { listing } of analysis.listLosses.overfull) {
    const [longest] = heaviestSkills(listing.entries);
    const file = longest && analysis.file(longest.uri);
    if (!file) continue;
    const cause = { code: 'entry/cut', key: 'description' } as const;
    const text = `${listText(listing)} This description is the longest.`;
    yield {
      ...{ uri: file.uri, name: longest.name, kind: 'cut', range: locate.range(file, spanOfCause(file, cause)) },
      reasons: [{ clients: [listing.client.name], text }],
    };
  }
}

/** Returns the reasons for one kind of loss, each with the names of its clients. */
function reasonsFor(analysis: Analysis, uri: string, wanted: ListLoss['kind']): UnlistedSkill['reasons'] {
  const reasons = new Map<string, string[]>();
  for (const loss of analysis.listLosses.lossy.get(uri) ?? []) {
    if (loss.kind !== wanted) continue;
    const text = (loss.reason?.text ?? describeBudget(loss)).replaceAll('`', '');
    reasons.set(text, [...(reasons.get(text) ?? []), loss.client.name]);
  }
  return [...reasons].map(([text, clients]) => ({ clients, text }));
}

function describeBudget({ inList }: ListLoss): string {
  if (!inList) return '';
  const { listing, entry } = inList;
  return [listText(listing), entryText(listing, listing.outcomeOf(entry))]
    .filter((text) => text !== undefined)
    .join(' ');
}
