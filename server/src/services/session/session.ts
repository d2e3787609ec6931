/**
 * The main loop of the language server. `receive` applies every message immediately and queues work. `#work` does this
 * work piece by piece, the most urgent first. Only `#plan` decides when work is done.
 */
import type { Analysis } from '../../analysis/analysis.ts';
import { diagnostics } from '../../features/diagnostics.ts';
import type { Locate } from '../../features/locate.ts';
import type { Finding } from '../../finding.ts';
import { isUserError, traceOf } from '../../io/user-error.ts';
import { DEFAULT_FILES } from '../../protocol/files.ts';
import type { FindingCounts } from '../../protocol.ts';
import { check } from '../../rules/engine/check.ts';
import { effectOnComposites } from '../../rules/engine/checked-package.ts';
import { shownByEditor } from '../../rules/engine/editor-checks.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { composersOf, mentionsOf } from '../../workspace/composition-lookups.ts';
import { isInWorkspace } from '../../workspace/workspace-index.ts';
import { PendingChanges, type Task } from './effects.ts';
import type { Message } from './messages.ts';
import type { SessionOptions } from './options.ts';
import { NOW, SLICE, type Work, waitForAnnouncement, waitForClosed, waitForSamples } from './pacing.ts';
import { CheckQueue, SampleQueue } from './queue.ts';
import { countsOf, type Report, Reports } from './reports.ts';
import { SharedFindings } from './shared-findings.ts';
import { TypedWord } from './typed-word.ts';
import { WorkspaceState } from './workspace-state.ts';

const TRY_AGAIN = 'Run *Skill: Refresh*, or restart the language server, to try again.';

export class Session {
  readonly #options: SessionOptions;
  readonly #state: WorkspaceState;
  readonly #queue = new CheckQueue();
  readonly #reports: Reports;
  #findings: FindingCounts | null = null;
  readonly #samples = new SampleQueue();
  readonly #typedWord: TypedWord;
  readonly #shared = new SharedFindings();
  /** The effect of each skill that others mention on its composites. */
  readonly #effects = new Map<string, string>();
  /** The number of running tasks, except composing samples. */
  #tasks = 0;
  #wantsAll: boolean;
  /** The number of callers that wait for all files to be checked. */
  #asking = 0;
  readonly #conditions = new Waiters();
  /** True after an internal error. */
  #hasFault = false;
  /** The time of the last keystroke; `#changed` is the time of the last change. */
  #typed = Number.NEGATIVE_INFINITY;
  #changed = Number.NEGATIVE_INFINITY;
  readonly #pendingChanges = new PendingChanges();
  /** True if diagnostics changed and the client must be asked to pull them again. */
  #refreshes = false;
  #isDisposed = false;
  /** Returns true for a closed file of the account, which is read but not checked. */
  readonly isHidden = (uri: string): boolean => this.#state.isHidden(uri);
  #planned: { readonly at: number; readonly cancel: () => void } | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#state = new WorkspaceState(options, DEFAULT_FILES);
    this.#reports = new Reports((uri) => isInWorkspace(this.#state.workspace.index.graph, uri));
    this.#typedWord = new TypedWord(options);
    this.#wantsAll = !options.pull;
  }

  get locate(): Locate {
    return this.#options.locate;
  }

  /** The analysis of the newest state. */
  get analysis(): Analysis {
    return this.#state.workspace.analysis;
  }

  /** Returns the version of an open file's text; null for a closed file. */
  version(uri: string): number | null {
    return this.#state.buffers.get(uri)?.version ?? null;
  }

  /** Returns the current diagnostics of a file. */
  report(uri: string): Report {
    const known = this.#reports.get(uri);
    return known && !this.#queue.has(uri) ? known : this.#check(uri, true);
  }

  /** Resolves when the catalogs that govern an open file have been read, so that it can be checked. */
  catalogLoaded(uri: string): Promise<void> {
    return this.#waitFor(() => !this.#state.awaitingCatalog.has(uri));
  }

  /** Resolves when the whole workspace has been read, and all files that clients want have been checked. */
  async checked(): Promise<void> {
    this.#asking++;
    await this.#waitFor(() => this.#isChecked()).finally(() => this.#asking--);
  }

  /** The findings when all files were last checked; null before the first time. */
  get findings(): FindingCounts | null {
    return this.#findings;
  }

  /** Resolves when all files have been checked, other changes have been announced, and `findings` has new numbers. */
  async findingsChanged(): Promise<void> {
    const isSettled = (): boolean => this.#isChecked() && this.#pendingChanges.since === undefined;
    await this.#waitFor(() => this.#wantsAll && this.#reports.counts !== this.#findings && isSettled());
    this.#findings = this.#reports.counts;
  }

  /** Resolves when the whole workspace has been read. */
  read(): Promise<void> {
    return this.#waitFor(() => this.#state.reading.isDone);
  }

  /** Resolves when the files on disk below changed folders have been read. */
  async upToDate(): Promise<void> {
    await this.#waitFor(() => this.#state.diskChanges.isDone && this.#state.reading.isDone);
  }

  dispose(): void {
    this.#planned?.cancel();
    this.#isDisposed = true;
  }

  receive(message: Message): void {
    if (message.kind === 'change') this.#typed = this.#options.clock.now();
    if (message.kind === 'want-all') this.#wantsAll = true;
    if (message.kind === 'samples') this.#samples.end(message.composed);
    if (message.kind === 'no-samples') this.#noteNoSamples(message.reason);
    if (message.kind === 'refresh') this.#samples.retry();
    if ('problem' in message && message.problem) this.#options.client.log('error', message.problem);
    this.#attempt(() => this.#state.handle(message));
    this.#typedWord.take(message, this.#state.buffers, this.#options.clock.now());
    this.#follow();
    this.#plan();
  }

  #noteNoSamples(reason: string): void {
    const { client } = this.#options;
    client.log('warn', `Samples are not checked: ${reason}`);
    if (this.#samples.fail()) client.warn(`Samples are not checked: ${reason} ${TRY_AGAIN}`);
  }

  /** Runs a piece of work. An error is logged and does not stop the loop. */
  #attempt<Result>(piece: () => Result, what = ''): Result | undefined {
    try {
      return piece();
    } catch (error) {
      this.#logFault(error, what);
      return undefined;
    }
  }

  /** Logs an error. The first internal error is also shown to the user, because findings may be missing. */
  #logFault(error: unknown, what = ''): void {
    const { client } = this.#options;
    const isInternal = !isUserError(error);
    client.log(isInternal ? 'error' : 'warn', `${what}${isInternal ? traceOf(error) : error.message}`);
    if (!isInternal || this.#hasFault) return;
    this.#hasFault = true;
    client.warn('Internal error, please report it: findings may be missing. The log of the server has the details.');
  }

  /** Queues the effects of the latest change, and starts the tasks that it needs. */
  #follow(): void {
    const effects = this.#state.takeEffects();
    const { clock, client } = this.#options;
    const { index } = this.#state.workspace;
    const now = clock.now();
    const { check, checkAll, edited, watch, tasks } = effects;
    for (const uri of edited) for (const other of this.#reports.showing(uri)) check.add(other);
    // A deleted file is not in the index, but its findings must be removed, too.
    const all = checkAll ? new Set([...index.files.keys(), ...check]) : check;
    this.#queue.add(index.partial ? this.#withoutClosed(all) : all, now);
    if (edited.size > 0 || checkAll) {
      this.#changed = now;
      this.#samples.add(index, all);
      for (const uri of edited) this.#samples.edited(uri);
    }
    this.#pendingChanges.add(effects, now);
    if (watch) client.watch(watch);
    for (const task of tasks) void this.#run(task);
  }

  /** Returns the open and the deleted files. While files are being read, checks of closed files would be repeated. */
  #withoutClosed(uris: Iterable<string>): readonly string[] {
    const { files } = this.#state.workspace.index;
    return [...uris].filter((uri) => this.#state.buffers.has(uri) || !files.has(uri));
  }

  async #run(task: Task): Promise<void> {
    this.#tasks++;
    const result = await task().catch((error: unknown) => this.#logFault(error));
    this.#tasks--;
    if (result) this.receive(result);
    else this.#plan();
  }

  /** Returns the most urgent work. */
  #next(): Work | undefined {
    const { buffers, awaitingCatalog, reading, workspace } = this.#state;
    const open = this.#queue.firstOf([...buffers.uris()].filter((uri) => !awaitingCatalog.has(uri)));
    if (open !== undefined) return { wait: NOW, piece: () => void this.#check(open) };
    const held = this.#typedWord.next(this.#options.clock.now(), (uri) => void this.#check(uri));
    if (held?.wait === NOW) return held;
    if (this.#refreshes && !this.#queue.isUnderWay) return { wait: NOW, piece: () => this.#askToRefresh() };
    if (reading.hasFile || reading.isWaiting) return { wait: NOW, piece: () => this.#readOn() };
    if (workspace.index.partial) return this.#nextAnnouncement();
    const later = [
      this.#nextComparison(),
      held,
      this.#nextClosed(),
      this.#nextShared(),
      this.#nextAnnouncement(),
      this.#nextSample(),
    ];
    return later.filter((work) => work !== undefined).sort((a, b) => a.wait - b.wait)[0];
  }

  #nextComparison(): Work | undefined {
    const { reading, diskChanges } = this.#state;
    if (!reading.isDone || diskChanges.due === undefined) return undefined;
    const piece = () => {
      this.#state.compare();
      this.#follow();
    };
    return { wait: Math.max(0, diskChanges.due - this.#options.clock.now()), piece };
  }

  #nextClosed(): Work | undefined {
    const { since, isEmpty, isUnderWay } = this.#queue;
    if (!this.#wantsAll || isEmpty) return undefined;
    const piece = () => {
      const uri = this.#queue.next(this.analysis.graph);
      if (uri !== undefined) this.#check(uri);
    };
    const isNow = this.#asking > 0 || isUnderWay || since === undefined;
    return { wait: isNow ? NOW : waitForClosed(this.#times(), since), piece };
  }

  #nextAnnouncement(): Work | undefined {
    const { since } = this.#pendingChanges;
    if (since === undefined) return undefined;
    return { wait: waitForAnnouncement(this.#times(), since), piece: () => this.#announce() };
  }

  #nextSample(): Work | undefined {
    const { buffers } = this.#state;
    const uri = this.#isChecked() ? this.#samples.next((one) => buffers.has(one), this.#wantsAll) : undefined;
    return uri === undefined ? undefined : { wait: waitForSamples(this.#times()), piece: () => this.#compose(uri) };
  }

  #times() {
    return { now: this.#options.clock.now(), typed: this.#typed, changed: this.#changed };
  }

  /** Spends one slice of time on the work that is due, so that received messages do not wait. */
  #work(): void {
    const { clock } = this.#options;
    const end = clock.now() + SLICE;
    this.#planned = undefined;
    for (let work = this.#next(); work?.wait === NOW; work = this.#next()) {
      this.#attempt(work.piece);
      if (clock.now() >= end) break;
    }
    this.#plan();
  }

  /** Schedules the next work, and resolves the promises whose conditions hold. */
  #plan(): void {
    this.#conditions.notify();
    const { clock } = this.#options;
    const next = this.#isDisposed ? undefined : this.#next();
    if (!next) return;
    const at = clock.now() + next.wait;
    if (this.#planned && this.#planned.at <= at) return;
    this.#planned?.cancel();
    const cancel = next.wait === NOW ? clock.soon(() => this.#work()) : clock.after(next.wait, () => this.#work());
    this.#planned = { at, cancel };
  }

  #waitFor(holds: () => boolean): Promise<void> {
    const held = this.#conditions.waitFor(holds);
    this.#plan();
    return held;
  }

  #isChecked(): boolean {
    const { awaitingCatalog, reading } = this.#state;
    if (!reading.isDone || this.#tasks > 0 || awaitingCatalog.size > 0) return false;
    return this.#isQueueDone() && !this.#shared.isOutdated;
  }

  #isQueueDone(): boolean {
    return this.#wantsAll ? this.#queue.isEmpty : this.#queue.firstOf(this.#state.buffers.uris()) === undefined;
  }

  #readOn(): void {
    const file = this.#state.reading.nextFile();
    if (file) this.#state.store(file);
    else this.#state.readNext();
    this.#follow();
  }

  #check(uri: string, isAsked = false): Report {
    this.#queue.remove(uri);
    const file = this.isHidden(uri) ? undefined : this.analysis.file(uri);
    // An error in one rule removes only the findings of one file.
    const findings = file && (this.#attempt(() => this.#find(file), `check ${uri}: `) ?? []);
    this.#queue.add(this.#shared.set(uri, findings), this.#options.clock.now());
    return this.#show(uri, findings ?? [], isAsked);
  }

  #find(file: SkillFile): readonly Finding[] {
    const { analysis } = this;
    this.#state.findNearbyFacts(file);
    this.#follow();
    return check(file, analysis);
  }

  /** Makes the report of a file from all its findings. */
  #show(uri: string, findings: readonly Finding[], isAsked = false): Report {
    const { pull, client } = this.#options;
    const before = this.#reports.get(uri);
    const version = this.#state.buffers.get(uri)?.version;
    const found = this.#typedWord.visibleFindings(
      uri,
      this.#attempt(() => this.#diagnose(uri, findings), `check ${uri}: `) ?? [],
      before?.items ?? [],
      this.#options.clock.now(),
    );
    const ofEditor = shownByEditor(this.#options.editor, this.#state.buffers.get(uri)?.languageId);
    const items = found.filter(({ code }) => !ofEditor.includes(String(code)));
    const report = this.#reports.set(uri, items, version, countsOf(found));
    const isNew = report.id !== before?.id;
    if (isNew) this.#checkComposites(uri);
    if (!this.analysis.file(uri) && version === undefined) this.#forget(uri);
    // Nothing changes for a closed file without earlier or current findings. For an open file, the client expects
    // diagnostics.
    if (version === undefined ? !isNew || (!before && report.items.length === 0) : report === before) return report;
    if (!pull) client.publish(uri, version, report.items);
    // The client requests diagnostics for files it edits. For other files, the server must ask it to refresh.
    else if (!isAsked && isNew && before?.version === version) this.#refreshes = true;
    return report;
  }

  /** Removes what is known about a deleted file. */
  #forget(uri: string): void {
    this.#reports.delete(uri);
    this.#effects.delete(uri);
  }

  /** Queues the composites of a skill if its effect on them changes. An edit of a body may change it. */
  #checkComposites(uri: string): void {
    const { analysis } = this;
    const skill = analysis.graph.skills.get(uri);
    if (!skill || analysis.partial || mentionsOf(analysis.graph, skill.summary).size === 0) return;
    const known = this.#effects.get(uri);
    const effect = this.#attempt(() => effectOnComposites(analysis, uri)) ?? '';
    this.#effects.set(uri, effect);
    if (known === undefined || known === effect) return;
    this.#queue.add(
      composersOf(analysis.graph, skill).map((composer) => composer.uri),
      this.#options.clock.now(),
    );
  }

  #diagnose(uri: string, found: readonly Finding[]): Report['items'] {
    const { locate, addressOf, namesFixes } = this.#options;
    const file = this.analysis.file(uri);
    if (!file || found.length === 0) return [];
    const isOpen = this.#state.buffers.has(uri);
    const findings = this.#shared.shown(uri, found, isOpen);
    return diagnostics(this.analysis, file, locate, { isOpen, findings, addressOf, ...(namesFixes && { namesFixes }) });
  }

  /** Returns the findings that an open file shows, with the fixes for all files that share their causes. */
  withSharedFixes(uri: string, findings: readonly Finding[]): readonly Finding[] {
    return this.#shared.withFixes(uri, findings);
  }

  /** Groups the findings with one cause when all files that clients want are checked. */
  #nextShared(): Work | undefined {
    return this.#shared.isOutdated && this.#isQueueDone()
      ? { wait: NOW, piece: () => this.#updateShared() }
      : undefined;
  }

  #updateShared(): void {
    const all = [...this.#state.workspace.index.files].flatMap(([uri, { isSkill }]) =>
      isSkill && !this.isHidden(uri) ? [uri] : [],
    );
    for (const [uri, findings] of this.#shared.update(all)) this.#show(uri, findings);
  }

  #askToRefresh(): void {
    this.#refreshes = false;
    this.#options.client.refreshDiagnostics();
  }

  #announce(): void {
    const { client } = this.#options;
    const { analysis } = this;
    if (client.prepare?.(analysis)) return;
    const { index } = analysis;
    const changes = this.#pendingChanges.take(index.partial);
    const composers = index.partial ? changes.composers : this.#samples.addComposers(index);
    const compositions = changes.compositions || composers.size > 0;
    client.announce({ ...changes, compositions, composers }, analysis);
  }

  #compose(uri: string): void {
    this.#samples.begin(uri, this.analysis.index);
    this.#options
      .composeSamples(this.analysis, uri, () => this.#samples.has(uri))
      .then(
        (composed) => this.receive({ kind: 'samples', uri, composed }),
        (error: unknown) => {
          if (isUserError(error)) return this.receive({ kind: 'no-samples', reason: error.message });
          this.#logFault(error, `samples of ${uri}: `);
          this.receive({ kind: 'samples', uri, composed: undefined });
        },
      );
  }
}

/** Promises that wait for conditions. `notify` must be called after each change. */
class Waiters {
  #waiting: { readonly holds: () => boolean; readonly resolve: () => void }[] = [];

  /** Resolves when the condition holds. */
  waitFor(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => void this.#waiting.push({ holds, resolve }));
  }

  /** Resolves the promises whose conditions hold. */
  notify(): void {
    const held = this.#waiting.filter(({ holds }) => holds());
    this.#waiting = this.#waiting.filter((one) => !held.includes(one));
    for (const { resolve } of held) resolve();
  }
}
