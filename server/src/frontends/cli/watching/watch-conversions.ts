/** `convert --watch`: converts again after each change (docs/sharing.md, "While you write"). */
import { toPath } from '../../../io/paths.ts';
import { assertCatalogsParse, nameOf } from '../../../io/project.ts';
import { userMessage } from '../../../io/user-error.ts';
import { shownBelow } from '../../../io/write-new.ts';
import { uriAt } from '../../../services/packing/folder-access.ts';
import {
  type Emitting,
  type PlannedSkill,
  planSkills,
  type SkillSource,
} from '../../../services/packing/plan-skills.ts';
import { writeWithoutProblems } from '../../../services/packing/write-plans.ts';
import { showInvisible } from '../../../text.ts';
import type { Console } from '../console.ts';
import { emittingFor } from '../converting/emitting.ts';
import { convertibleSkills, type NamedSource } from '../converting/open-sources.ts';
import type { ConvertOptions } from '../converting/options.ts';
import { lineOf, problemsIn, withProblems } from '../converting/target-lines.ts';
import { type Round, showRound, watchFiles } from './watch-files.ts';

export interface ConversionsToWatch extends Pick<ConvertOptions, 'cwd' | 'clients' | 'out' | 'force' | 'quiet'> {
  readonly paths: readonly string[];
}

/** Watches until the user quits. Returns 1 if a skill was not converted in the last round, else 0. */
export async function watchConversions(watching: ConversionsToWatch, console: Console): Promise<number> {
  const { cwd, paths } = watching;
  const conversions = new WatchedConversions(watching, console);
  const files = { cwd, paths, allFiles: true, keys: {}, published: undefined };
  await watchFiles(files, console, (round) => conversions.convert(round));
  return conversions.hasProblems ? 1 : 0;
}

/** The conversions of a watch, with their state after the last round. */
class WatchedConversions {
  readonly #watching: ConversionsToWatch;
  readonly #console: Console;
  /** The plans of the last conversion of each source, by its URI. */
  readonly #plans = new Map<string, readonly PlannedSkill[]>();
  #catalogProblem: string | undefined;
  /** Edits after the start are never overwritten, also if a source was deleted and is created again. */
  #force: boolean;

  constructor(watching: ConversionsToWatch, console: Console) {
    this.#watching = watching;
    this.#console = console;
    this.#force = watching.force;
  }

  get hasProblems(): boolean {
    return this.#catalogProblem !== undefined || this.#failing().length > 0;
  }

  /** Converts the skills that a round concerns, and shows the targets that changed and those with a problem. */
  async convert(round: Round): Promise<void> {
    const { cwd, out, quiet } = this.#watching;
    const { session, named, changed } = round;
    const catalogProblem = catalogProblemIn(cwd, round);
    const isSameProblem = catalogProblem === this.#catalogProblem;
    this.#catalogProblem = catalogProblem;
    const sources = convertibleSkills(session.analysis, named).map((source) => ({
      ...source,
      shown: nameOf(cwd, toPath(source.uri)),
    }));
    for (const uri of this.#plans.keys()) if (!sources.some((source) => source.uri === uri)) this.#plans.delete(uri);
    const canConvert = catalogProblem === undefined && sources.length > 0;
    const lines = canConvert ? await this.#convertConcerned(round, sources, !isSameProblem) : [];
    if (lines.length === 0 && isSameProblem && changed.length > 0) return;
    const shown = out === undefined ? (path: string) => path : shownBelow(out);
    const isNew = ({ path }: PlannedSkill): boolean => lines.some((line) => line.path === path);
    const rest = this.#failing().filter((plan) => !isNew(plan));
    const texts = [...(quiet ? [] : lines.map(({ text }) => text)), ...rest.map((plan) => lineOf(plan, shown))];
    showRound(texts.map((text) => `${showInvisible(text)}\n`).join(''), cwd, round, 'q to quit', this.#console);
  }

  /** Converts the sources that a round concerns, or all sources. Returns the lines of the targets that changed. */
  async #convertConcerned(
    { session: { analysis }, changed, concerned }: Round,
    sources: readonly NamedSource[],
    all: boolean,
  ): Promise<readonly TargetLine[]> {
    const emitting = { ...emittingFor(this.#watching, { analysis, sources }, this.#console), onlyGood: true };
    const isConcerned = ({ uri }: SkillSource): boolean =>
      all || concerned === 'all' || concerned.has(uri) || dependsOn(emitting, this.#plans.get(uri), changed);
    const planned = await planSkills(emitting, analysis, sources.filter(isConcerned));
    const force = this.#force;
    this.#force = false;
    const plans = await writeWithoutProblems(emitting, planned, () => force);
    const lines: TargetLine[] = [];
    for (const uri of new Set(plans.map(({ source }) => source))) {
      const own = plans.filter(({ source }) => source === uri);
      lines.push(...own.flatMap((plan) => newLine(plan, this.#plans.get(uri), emitting.shown)));
      this.#plans.set(uri, own.map(afterWriting));
    }
    return lines;
  }

  #failing(): readonly PlannedSkill[] {
    return [...this.#plans.values()].flat().filter((plan) => problemsIn(plan) !== '');
  }
}

/** A line about the target with this path. */
interface TargetLine {
  readonly path: string;
  readonly text: string;
}

/** Returns a plan with the state of its target after it was written. */
const afterWriting = (plan: PlannedSkill): PlannedSkill =>
  plan.problem === undefined && plan.gone.length > 0 ? { ...plan, state: 'incomplete' } : plan;

function catalogProblemIn(cwd: string, { session, named }: Round): string | undefined {
  try {
    assertCatalogsParse({ workspace: session, named, fileOf: (uri) => nameOf(cwd, toPath(uri)) });
    return undefined;
  } catch (error) {
    return userMessage(error);
  }
}

/** Returns whether one of the changed files is a target or a linked file of a skill. */
const dependsOn = ({ folder }: Emitting, plans: readonly PlannedSkill[] = [], changed: readonly string[]): boolean =>
  plans.some(({ linked, before }) => {
    const targets = new Set([...linked, ...[...before.keys()].map((path) => uriAt(folder, path))]);
    return changed.some((uri) => targets.has(uri));
  });

/** Returns the line of a plan that wrote something, or whose problem is new; else an empty list. */
function newLine(
  plan: PlannedSkill,
  before: readonly PlannedSkill[] | undefined,
  shown: (path: string) => string,
): readonly TargetLine[] {
  const { path } = plan;
  const last = before?.find((one) => one.path === path);
  const [problem, earlier] = [problemsIn(plan), last === undefined ? '' : problemsIn(last)];
  if (plan.problem === undefined && plan.write.length + plan.remove.length > 0)
    return [{ path, text: withProblems(`${shown(path)}: written`, plan) }];
  if (problem !== '') return problem === earlier ? [] : [{ path, text: lineOf(plan, shown) }];
  return before === undefined || earlier !== '' ? [{ path, text: `${shown(path)}: current` }] : [];
}
