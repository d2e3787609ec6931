/**
 * The files of a session: the files of the workspace folders and of the account, and the text of open files. Applies
 * messages without waiting, and collects their effects for the session.
 */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { URI } from 'vscode-uri';
import { frameworkFolders } from '../../analysis/targets.ts';
import { type Change, Workspace } from '../../analysis/workspace.ts';
import { modelChoice } from '../../clients/facts/models.ts';
import { leadsToSkills } from '../../clients/matrix/client-folders.ts';
import { type ClientSkillFile, changeOf, type LinkScope } from '../../io/files.ts';
import { isIgnoreFile } from '../../io/gitignore.ts';
import { allGlobs, CATALOG_NAMES, isBelow, isCatalog, isSearched, servedTest } from '../../io/globs.ts';
import { linkedSkillsOf } from '../../io/linked-skills.ts';
import { traceOf } from '../../io/user-error.ts';
import type { FileContent, Settings } from '../../protocol.ts';
import { SkillFile } from '../../skill/skill-file.ts';
import { decoded, dialectOf, folderOf } from '../../vocabulary/dialect.ts';
import { accountFolders } from '../../workspace/account.ts';
import { BASELINE_NAME } from '../../workspace/baseline.ts';
import { SNAPSHOT_NAME } from '../../workspace/tool-snapshot.ts';
import { isOfAccount } from '../../workspace/workspace-index.ts';
import { Buffers } from './buffers.ts';
import { coveredBy, DiskChanges, filesBelow } from './disk-changes.ts';
import { Effects } from './effects.ts';
import type { Message, ReadFile } from './messages.ts';
import { NearbyFiles } from './nearby-files.ts';
import type { SessionOptions } from './options.ts';
import { atMost, CATALOG_PATIENCE } from './pacing.ts';
import { ReadingState } from './reading.ts';

type Of<Kind extends Message['kind']> = Extract<Message, { kind: Kind }>;

export class WorkspaceState {
  readonly workspace = new Workspace();
  readonly buffers: Buffers;
  readonly reading = new ReadingState();
  readonly diskChanges = new DiskChanges();
  /** Open files that cannot be checked yet, because their catalogs are still being read. */
  readonly awaitingCatalog = new Set<string>();
  readonly #options: SessionOptions;
  readonly #nearbyFiles: NearbyFiles;
  readonly #fileLinks = new FileLinks();
  /** Changed files that a search may leave out, which is decided before they are read. */
  readonly #undecided = new Set<string>();
  /** The effects that no caller has taken yet. */
  #effects = new Effects();
  /** True if a search of the folders failed, so that other files may exist. */
  #isIncomplete = false;
  #scope: Scope;
  #accountFolders: readonly string[] = [];
  /** The URIs of the skills that only clients find. */
  #clientSkills: ReadonlySet<string> = new Set();
  /** True while they are searched, and true if they must be searched again after that. */
  #isSearching = false;
  #isSearchedAgain = false;
  /** The folders of frameworks in the last search. */
  #searchedFolders: readonly string[] = [];

  constructor(options: SessionOptions, patterns: readonly string[]) {
    const { folders, settings, locate } = options;
    this.#options = options;
    this.buffers = new Buffers(locate);
    this.#nearbyFiles = new NearbyFiles({
      workspace: this.workspace,
      files: options.files,
      folderReadings: options.folderReadings,
      clock: options.clock,
      apply: (change) => this.#apply(change),
      effects: () => this.#effects,
      isOpen: (uri) => this.buffers.has(uri),
      scope: () => this.#scope.linksWith(this.#accountFolders),
      isLink: (uri) => this.#fileLinks.has(uri),
    });
    this.#scope = new Scope(folders, settings.files ?? patterns, settings);
    this.workspace.apply({ kind: 'roots', folders });
    this.workspace.apply({ kind: 'partial', partial: true });
    for (const change of changesOf(settings)) this.workspace.apply(change);
  }

  /** Returns true for a closed file of the account, which is read but not checked. */
  isHidden(uri: string): boolean {
    return !this.buffers.has(uri) && this.#isOfAccount(uri) && !this.#scope.contains(uri);
  }

  /** Returns the effects since the last call. */
  takeEffects(): Effects {
    const effects = this.#effects;
    this.#effects = new Effects();
    return effects;
  }

  handle(message: Message): void {
    // The date may change during a session.
    this.#apply({ kind: 'today', date: this.#options.clock.today() });
    switch (message.kind) {
      case 'open':
        this.#open(message);
        break;
      case 'change':
        this.#change(message);
        break;
      case 'close':
        this.#close(message.uri);
        break;
      case 'save':
        this.#nearbyFiles.findFacts(this.workspace.analysis.file(message.uri), true);
        this.#copyToLinks(message.uri, this.buffers.get(message.uri)?.getText());
        break;
      case 'watched':
        this.#watched(message.uris);
        break;
      case 'refresh':
        this.diskChanges.addAll(this.#options.clock.now());
        break;
      case 'compared':
        this.#compared(message);
        break;
      case 'released':
        // The text of a file that was closed in the meantime would never be removed.
        if (this.buffers.has(message.uri)) this.#apply(message);
        break;
      case 'settings':
        this.#setSettings(message.settings);
        break;
      case 'folders':
        this.#scope = this.#scope.withFolders(message.added, message.removed);
        this.#apply({ kind: 'roots', folders: this.#scope.folders });
        this.#readAll();
        break;
      case 'start':
        this.#readAll();
        break;
      case 'found':
        this.#found(message);
        break;
      case 'read':
        this.reading.read(message.files);
        break;
      case 'catalogs-read':
        this.awaitingCatalog.delete(message.uri);
        for (const file of message.files) this.store(file);
        this.#effects.check.add(message.uri);
        break;
      case 'exists':
        this.#nearbyFiles.setExistence(message);
        break;
      case 'folder':
        this.#nearbyFiles.setFolder(message);
        break;
      case 'linked-skills':
        this.#setLinkedSkills(message.links);
        break;
      case 'client-skills':
        this.#setClientSkills(message.skills);
        break;
      case 'link':
      case 'triggers':
        if (this.workspace.index.files.has(message.uri)) this.#apply(message);
        break;
      case 'samples':
        if (message.composed) this.#apply({ ...message, failures: message.composed.failures });
        break;
    }
  }

  /** Stores the content of a file that was read. */
  store({ uri, content }: ReadFile): void {
    this.#fileLinks.set(uri, 'target' in content ? content.target : undefined);
    const isKnown = this.workspace.index.files.has(uri);
    const buffer = this.buffers.get(uri);
    if (buffer) this.#storeOpen(buffer, content);
    else this.#storeClosed({ uri, content });
    // A link to a folder may lead to a skill that was added or removed.
    const isSkill = this.reading.stage === 'done' && dialectOf(uri) === 'agent-skill';
    if (isSkill && isKnown !== this.workspace.index.files.has(uri)) this.#findClientSkills();
  }

  #storeClosed({ uri, content }: ReadFile): void {
    // A file outside all folders belongs to the workspace only while it is open.
    const isServed = this.#reads(uri) && (this.#scope.contains(uri) || this.#isOfAccount(uri));
    const isFolder = content.kind === 'unreadable' && content.reason === 'folder';
    const isNew = this.workspace.index.facts.unreadable.get(uri) !== 'folder';
    this.#apply(isServed ? changeOf(uri, content) : { kind: 'delete', uri });
    if (isServed) this.#noteLink({ uri, content });
    if (isServed && content.kind === 'text') this.#copyToLinks(uri, content.text);
    if (isFolder && isNew && this.reading.stage === 'done') this.#addToCompare([uri]);
  }

  /**
   * Compares an open file with the disk. A deleted file without unsaved text is removed from the workspace until it is
   * edited or returns, because an editor shows it until its tab is closed.
   */
  #storeOpen(buffer: TextDocument, content: FileContent): void {
    const { uri } = buffer;
    // The buffer is text; only the disk says whether clients read other characters.
    const replaced = content.kind === 'unreadable' ? content.replaced : undefined;
    const isOther = replaced !== undefined && dialectOf(uri) === 'agent-skill';
    this.#apply({ kind: 'client-skill', uri, file: isOther ? new SkillFile(uri, replaced) : undefined });
    if (content.kind === 'text') {
      this.buffers.setSaved(uri, content.text);
      if (!this.workspace.index.files.has(uri))
        this.#apply({ kind: 'text', uri, text: buffer.getText(), isOpen: true });
    } else if (content.kind === 'absent' && this.buffers.isSaved(uri)) this.#apply({ kind: 'delete', uri });
  }

  /**
   * Stores whether a file is a link. If its folder was found to be a link while the file was open, that fact is
   * retained.
   */
  #noteLink({ uri, content }: ReadFile): void {
    if (content.kind !== 'text' || dialectOf(uri) !== 'agent-skill') return;
    const { target } = content;
    const link = target === undefined ? undefined : { folder: false, file: true, target };
    if (link || !this.workspace.analysis.findLink(uri)?.folder) this.#apply({ kind: 'link', uri, link });
  }

  /** Starts to read the next batch of files, or the next stage. */
  readNext(): void {
    const batch = this.reading.nextBatch();
    if (batch.length > 0) {
      this.reading.isBusy = true;
      this.#effects.tasks.push(async () => ({ kind: 'read', files: await this.#readAllOf(batch) }));
    } else if (this.reading.isAtEnd) {
      if (this.reading.stage === 'skills') this.#readAccount();
      else this.#endReading();
    }
  }

  /** Finds the facts on disk that rules need about a file, except those that are already known. */
  findNearbyFacts(file: SkillFile): void {
    this.#nearbyFiles.findFacts(file, false);
  }

  #open({ document }: Of<'open'>): void {
    const { uri } = document;
    if (!this.#scope.serves(uri)) return;
    this.buffers.open(document);
    // The index may still contain the unsaved text of an earlier document with this URI.
    if (this.#reads(uri)) this.reading.add([uri]);
    if (this.workspace.index.partial && !this.reading.knowsCatalogs) {
      this.awaitingCatalog.add(uri);
      const above = this.#scope.catalogsAbove(uri);
      // A reply that comes later is not lost, because the catalogs are read with the workspace, too.
      const read = async () => (await atMost(CATALOG_PATIENCE, this.#readAllOf(above), this.#options.clock)) ?? [];
      this.#effects.tasks.push(async () => ({ kind: 'catalogs-read', uri, files: await read() }));
    }
    this.#apply({ kind: 'text', uri, text: document.getText(), isOpen: true });
    // The client expects diagnostics for the file, even if its text is the same as on disk.
    this.#effects.check.add(uri);
    this.#nearbyFiles.findFacts(this.workspace.analysis.file(uri), true);
  }

  #change({ uri, version, changes }: Of<'change'>): void {
    const document = this.buffers.get(uri);
    if (!document) return;
    this.#apply({ kind: 'text', uri, text: this.buffers.change(document, version, changes), isOpen: true });
    // The client expects diagnostics for every version, even if the text is the same.
    this.#effects.check.add(uri);
  }

  #close(uri: string): void {
    if (!this.buffers.close(uri)) return;
    this.awaitingCatalog.delete(uri);
    this.#apply({ kind: 'released', uri, text: undefined });
    this.#nearbyFiles.leave(uri);
    // A closed file of the account has no findings, even if its text is unchanged.
    this.#effects.check.add(uri);
    this.#undecided.add(uri);
    this.reading.add([uri]);
  }

  #watched(uris: readonly string[]): void {
    const wanted = new Set(uris);
    const changed = [...uris, ...this.#fileLinks.to((uri) => wanted.has(uri))];
    const read = changed.filter((uri) => this.#reads(uri));
    for (const uri of read) this.#undecided.add(uri);
    this.reading.add(read);
    if (uris.some(isIgnoreFile)) this.diskChanges.addAll(this.#options.clock.now());
    this.#nearbyFiles.watched(uris);
    this.#addToCompare(uris);
  }

  #addToCompare(uris: readonly string[]): void {
    this.diskChanges.add(uris, this.#allFolders(), (uri) => this.#mayBeFolder(uri), this.#options.clock.now());
  }

  /** Returns false for the path of a skill file, except for a folder with such a name. */
  #mayBeFolder(uri: string): boolean {
    const isFile = this.#scope.serves(uri) && dialectOf(uri) !== undefined;
    return !isFile || this.workspace.index.facts.unreadable.get(uri) === 'folder';
  }

  /** Returns whether a search finds this file if it exists. */
  #reads(uri: string): boolean {
    return this.#scope.serves(uri) && isSearched(uri, this.#allFolders());
  }

  #allFolders(): readonly string[] {
    return [...this.#scope.folders, ...this.#accountFolders];
  }

  /** Starts to compare the disk with the index. */
  compare(): void {
    const { files } = this.#options;
    const { folders, globs } = this.#scope;
    const account = this.#accountFolders;
    const within = this.#within();
    const compared = this.diskChanges.begin();
    const known = this.#knownFiles(coveredBy(compared));
    const find = async (): Promise<readonly string[]> => {
      if (compared !== 'all') return filesBelow(files, compared, { roots: [...folders, ...account], globs, within });
      const some = [folders, account].filter(({ length }) => length > 0);
      return (await Promise.all(some.map((one) => files.find(one, globs, within)))).flat();
    };
    const result = { kind: 'compared', compared, known } as const;
    this.#effects.tasks.push(() =>
      find().then(
        (uris) => ({ ...result, uris }),
        (error: unknown) => ({ ...result, uris: [...known], problem: traceOf(error) }),
      ),
    );
  }

  /** Removes the known files that were not found, and reads all files that were found. */
  #compared({ compared, known, uris }: Of<'compared'>): void {
    const isCovered = coveredBy(compared);
    const found = new Set(uris.filter((uri) => this.#reads(uri)));
    this.diskChanges.end(compared, found, known, this.#options.clock.now());
    const read = [...found, ...this.#fileLinks.to(isCovered)];
    this.reading.add([...read.filter(isCatalog), ...read.filter((uri) => !isCatalog(uri))]);
    const gone = [...known].filter((uri) => !found.has(uri));
    // A search may leave out a file that is open.
    this.reading.add(gone.filter((uri) => this.buffers.has(uri)));
    this.reading.addDeleted(gone.filter((uri) => !this.buffers.has(uri)));
    this.#nearbyFiles.compared(isCovered);
    this.#findLinkedSkills();
    if (
      compared === 'all' ||
      compared.some((uri) => leadsToSkills(decoded(uri).split('/'), frameworkFolders(this.workspace.analysis)))
    )
      this.#findClientSkills();
  }

  /** Looks for the skills that clients reach only through links, if the author has chosen the target clients. */
  #findLinkedSkills(): void {
    const { analysis, index } = this.workspace;
    const isChosen =
      index.facts.clients !== undefined || index.catalogs.some((one) => one.agentSkills.clients !== undefined);
    if (index.partial || !isChosen) return;
    const { files } = this.#options;
    const scope = this.#scope.linksWith(this.#accountFolders);
    this.#effects.tasks.push(async () => ({
      kind: 'linked-skills',
      links: await linkedSkillsOf(files, analysis, scope),
    }));
  }

  #setLinkedSkills(links: Of<'linked-skills'>['links']): void {
    const { files, facts } = this.workspace.index;
    const found = new Set(links.map(({ uri }) => uri));
    const isOther = (uri: string): boolean => !files.has(uri) && !found.has(uri) && !this.#clientSkills.has(uri);
    const gone = [...facts.links.keys()].filter(isOther);
    for (const uri of gone) this.#apply({ kind: 'link', uri, link: undefined });
    for (const { uri, link } of links) if (!files.has(uri)) this.#apply({ kind: 'link', uri, link });
  }

  /** Looks for the skills that only clients find, such as those behind links to folders (docs/clients.md, "Links"). */
  #findClientSkills(): void {
    const { folders } = this.#scope;
    const { files } = this.#options;
    if (this.workspace.index.partial || !files.clientSkills) return;
    this.#isSearchedAgain = this.#isSearching;
    if (this.#isSearching) return;
    this.#isSearching = true;
    const ofFrameworks = frameworkFolders(this.workspace.analysis);
    this.#searchedFolders = ofFrameworks;
    const within = this.#within();
    this.#effects.tasks.push(async () => {
      try {
        return { kind: 'client-skills', skills: await files.clientSkills?.(folders, ofFrameworks, within) };
      } catch (error) {
        const problem = `The folders cannot be searched for linked skills: ${traceOf(error)}`;
        return { kind: 'client-skills', skills: undefined, problem };
      }
    });
  }

  /** Searches again if settings or catalogs have changed the folders of frameworks. */
  #updateClientSkills(): void {
    const isOutdated = frameworkFolders(this.workspace.analysis).join('\n') !== this.#searchedFolders.join('\n');
    if (isOutdated) this.#findClientSkills();
  }

  /**
   * Replaces the skills that only clients find. All at once, because each may affect the others. A skill that was opened
   * is in the index, and keeps its link until it is removed from there.
   */
  #setClientSkills(skills: readonly ClientSkillFile[] | undefined): void {
    this.#isSearching = false;
    if (this.#isSearchedAgain) {
      this.#isSearchedAgain = false;
      this.#findClientSkills();
    }
    const { index } = this.workspace;
    // `#endReading` searches again.
    if (index.partial || !skills) return;
    const wanted = skills.filter(({ uri }) => !index.files.has(uri));
    const opened = [...this.#clientSkills].filter((uri) => index.files.has(uri));
    const found = new Set([...opened, ...wanted.map(({ uri }) => uri)]);
    const gone = [...this.#clientSkills].filter((uri) => !found.has(uri));
    const changed = wanted.filter(
      ({ uri, text, link }) =>
        index.facts.clientSkills.get(uri)?.text !== text || index.facts.links.get(uri)?.target !== link?.target,
    );
    this.#clientSkills = found;
    if (gone.length + changed.length === 0) return;
    this.workspace.apply({ kind: 'partial', partial: true });
    for (const uri of gone) {
      this.#apply({ kind: 'client-skill', uri, file: undefined });
      this.#apply({ kind: 'link', uri, link: undefined });
    }
    for (const { uri, text, link } of changed) {
      this.#apply({ kind: 'client-skill', uri, file: new SkillFile(uri, text) });
      this.#apply({ kind: 'link', uri, link });
    }
    this.#apply({ kind: 'partial', partial: false });
  }

  /** Gives the text of a file on the disk to the skills that lead to it through a link. */
  #copyToLinks(uri: string, text: string | undefined): void {
    const { files, facts } = this.workspace.index;
    if (text === undefined || dialectOf(uri) !== 'agent-skill') return;
    for (const one of this.#clientSkills) {
      if (!files.has(one) && facts.links.get(one)?.target === uri)
        this.#apply({ kind: 'client-skill', uri: one, file: new SkillFile(one, text) });
    }
  }

  /** Returns the URIs of the files that were read and for which `isWanted` returns true. */
  #knownFiles(isWanted: (uri: string) => boolean = () => true): ReadonlySet<string> {
    const { files, baselines, snapshots, facts } = this.workspace.index;
    const named = (folders: Iterable<string>, name: string) => [...folders].map((folder) => `${folder}/${name}`);
    const others = [...named(baselines.keys(), BASELINE_NAME), ...named(snapshots.keys(), SNAPSHOT_NAME)];
    return new Set([...files.keys(), ...facts.unreadable.keys(), ...others].filter(isWanted));
  }

  #setSettings(settings: Settings): void {
    for (const change of changesOf(settings)) this.#apply(change);
    const patterns = settings.files ?? this.#scope.patterns;
    const { usesIgnoreFiles } = this.#scope;
    const isSame = JSON.stringify(patterns) === JSON.stringify(this.#scope.patterns);
    this.#scope = new Scope(this.#scope.folders, patterns, settings);
    // Before the first reading, no files have to be read again.
    const isOther = !isSame || usesIgnoreFiles !== this.#scope.usesIgnoreFiles;
    if (isOther && this.reading.stage !== 'unread') this.#readAll();
    else this.#updateAccount();
  }

  #readAll(): void {
    this.workspace.apply({ kind: 'partial', partial: true });
    this.#isIncomplete = false;
    const reading = this.reading.begin('finding');
    const { folders, globs } = this.#scope;
    this.#effects.tasks.push(() => this.#find(reading, folders, globs));
  }

  #found({ reading, uris, problem }: Of<'found'>): void {
    if (reading !== this.reading.serial) return;
    // After a search that failed, the known files are read, and missing names are not reported.
    if (problem !== undefined) this.#isIncomplete = true;
    const found = new Set(problem === undefined ? uris : this.#knownFiles());
    const isAccount = this.reading.stage === 'finding-account';
    for (const uri of this.#knownFiles()) {
      const isOnlyOfAccount = this.#isOfAccount(uri) && !this.#scope.contains(uri);
      if (found.has(uri) || this.buffers.has(uri) || isOnlyOfAccount !== isAccount) continue;
      this.#apply({ kind: 'delete', uri });
    }
    this.reading.found([...found]);
  }

  /** Reads the skills of the account from the folders that settings and catalogs name. */
  #readAccount(): void {
    const folders = this.#wantedAccountFolders();
    this.workspace.apply({ kind: 'partial', partial: true });
    const reading = this.reading.begin('finding-account');
    const left = this.#accountFolders.filter((folder) => !folders.includes(folder));
    if (JSON.stringify(folders) !== JSON.stringify(this.#accountFolders)) {
      this.#accountFolders = folders;
      this.#apply({ kind: 'account', folders });
      this.#effects.watch = folders;
    }
    for (const uri of this.#knownFiles()) {
      const isLeft = isBelow(uri, left) && !isBelow(uri, folders) && !this.#scope.contains(uri);
      if (isLeft && !this.buffers.has(uri)) this.#apply({ kind: 'delete', uri });
    }
    const { globs } = this.#scope;
    this.#effects.tasks.push(() => this.#find(reading, folders, globs));
  }

  #endReading(): void {
    this.reading.stage = 'done';
    // Another folder of the account may have been set meanwhile.
    this.#updateAccount();
    if (this.reading.isDone && !this.#isIncomplete) {
      this.#apply({ kind: 'partial', partial: false });
      this.#findLinkedSkills();
      this.#findClientSkills();
    }
  }

  /** Reads the account again if its folders have changed. */
  #updateAccount(): void {
    const isOutdated = JSON.stringify(this.#wantedAccountFolders()) !== JSON.stringify(this.#accountFolders);
    if (this.reading.stage === 'done' && isOutdated) this.#readAccount();
  }

  #wantedAccountFolders(): readonly string[] {
    const options = {
      home: this.#options.files.home,
      roots: this.#scope.folders,
      setting: this.#scope.accountSetting,
      trustsCatalogs: this.#options.trusted,
    };
    // The URIs are in the editor's form, so that the URIs of files match the URIs of folders.
    return accountFolders(this.workspace.index, options).map((folder) => URI.parse(folder).toString());
  }

  #apply(change: Change): void {
    const before = this.workspace.index;
    const affected = this.workspace.apply(change);
    if (change.kind === 'delete') this.#nearbyFiles.forget(change.uri);
    const after = this.workspace.index;
    if (before === after) return;
    const isText = change.kind === 'text' || change.kind === 'delete';
    this.#effects.addAffected(affected, 'uri' in change ? change.uri : undefined);
    if (isText) this.#effects.edited.add(change.uri);
    if (before.graph !== after.graph || before.catalogs !== after.catalogs) this.#effects.graph = true;
    if (before.facts.links !== after.facts.links) this.#effects.links = true;
    if (before.facts.clients !== after.facts.clients || before.catalogs !== after.catalogs) {
      this.#findLinkedSkills();
      this.#updateClientSkills();
    }
    if (isText && before.catalogs !== after.catalogs) this.#updateAccount();
  }

  readonly #isOfAccount = (uri: string): boolean => isOfAccount(this.workspace.index.graph, uri);

  async #find(reading: number, folders: readonly string[], globs: readonly string[]): Promise<Of<'found'>> {
    const nothing = { kind: 'found', reading, uris: [] } as const;
    const within = this.#within();
    try {
      return folders.length === 0
        ? nothing
        : { ...nothing, uris: await this.#options.files.find(folders, globs, within) };
    } catch (error) {
      return { ...nothing, problem: `The folders cannot be searched for skills: ${traceOf(error)}` };
    }
  }

  /** Returns the folders in which a search leaves out copies; undefined if it leaves out nothing. */
  #within(): readonly string[] | undefined {
    return this.#scope.usesIgnoreFiles ? this.#allFolders() : undefined;
  }

  /** Returns those of the files that a search leaves out; undefined if none is. A file that is open is never left out. */
  #excludedOf(uris: readonly string[]): Promise<ReadonlySet<string>> | undefined {
    const undecided = uris.filter((uri) => this.#undecided.delete(uri) && !this.buffers.has(uri));
    const within = this.#within();
    const { files } = this.#options;
    if (undecided.length === 0 || !within || !files.withoutExcluded) return undefined;
    return files.withoutExcluded(undecided, within).then(
      (kept) => {
        const left = new Set(kept);
        return new Set(undecided.filter((uri) => !left.has(uri)));
      },
      () => new Set(),
    );
  }

  #readAllOf(uris: readonly string[]): Promise<readonly ReadFile[]> {
    const links = this.#scope.linksWith(this.#accountFolders);
    const { files, client } = this.#options;
    const excluded = this.#excludedOf(uris);
    const read = async (uri: string): Promise<ReadFile> => {
      if (excluded && (await excluded).has(uri)) return { uri, content: { kind: 'absent' } };
      try {
        return { uri, content: await files.read(uri, links) };
      } catch (error) {
        client.log('error', `${uri}: ${traceOf(error)}`);
        return { uri, content: { kind: 'unreadable', reason: 'failed' } };
      }
    };
    return Promise.all(uris.map(read));
  }
}

/** The targets of files that are links. A change to a target updates the link. */
class FileLinks {
  readonly #targets = new Map<string, string>();

  set(uri: string, target: string | undefined): void {
    if (target === undefined) this.#targets.delete(uri);
    else this.#targets.set(uri, target);
  }

  has(uri: string): boolean {
    return this.#targets.has(uri);
  }

  /** Returns the links to the targets for which `isWanted` returns true. */
  to(isWanted: (target: string) => boolean): readonly string[] {
    return [...this.#targets].flatMap(([link, target]) => (isWanted(target) ? [link] : []));
  }
}

type ScopeSettings = Pick<Settings, 'accountSkills' | 'useIgnoreFiles'>;

/** The files of the session: all files that match the patterns in the settings, below the workspace folders. */
export class Scope {
  readonly folders: readonly string[];
  /** The patterns in the settings. */
  readonly patterns: readonly string[];
  /** The folder that the settings specify for the account's skills. */
  readonly accountSetting: string | undefined;
  /** The patterns in the settings, and the patterns for catalogs. */
  readonly globs: readonly string[];
  readonly serves: (uri: string) => boolean;
  /** False if nothing is left out of a search (`io/exclusions.ts`). */
  readonly usesIgnoreFiles: boolean;
  readonly #settings: ScopeSettings;

  constructor(folders: readonly string[], patterns: readonly string[], settings: ScopeSettings) {
    this.folders = folders;
    this.patterns = patterns;
    this.accountSetting = settings.accountSkills;
    this.usesIgnoreFiles = settings.useIgnoreFiles !== false;
    this.#settings = settings;
    this.globs = allGlobs({ folders, globs: patterns });
    this.serves = servedTest({ folders, globs: patterns });
  }

  withFolders(added: readonly string[], removed: readonly string[]): Scope {
    const left = this.folders.filter((folder) => !removed.includes(folder));
    return new Scope([...left, ...added], this.patterns, this.#settings);
  }

  contains(uri: string): boolean {
    return isBelow(uri, this.folders);
  }

  /** Returns the URIs of the catalogs that may govern a file, and the URIs of their snapshots. */
  catalogsAbove(uri: string): readonly string[] {
    const root = this.folders.find((folder) => uri.startsWith(`${folder}/`)) ?? uri;
    const above: string[] = [];
    for (let folder = folderOf(uri); folder.length >= root.length; folder = folderOf(folder)) {
      above.push(...CATALOG_NAMES.map((name) => `${folder}/${name}`));
    }
    return above;
  }

  /** Returns the scope of links: any file in the workspace and in the account. */
  linksWith(accountFolders: readonly string[]): LinkScope {
    const folders = [...this.folders, ...accountFolders];
    // A catalog governs the folder that contains it, so a link to a catalog is a separate catalog.
    const readsItself = (uri: string) => this.serves(uri) && !isCatalog(uri) && isSearched(uri, folders);
    return { folders, isReadDirectly: readsItself };
  }
}

// Changes to the index that follow from the user's settings.

/** Converts settings to changes. An empty list of clients counts as not set, because editors show it as the default. */
const changesOf = ({ rules, agentSkills }: Settings): readonly Change[] => [
  { kind: 'severities', severities: rules ?? {} },
  { kind: 'clients', clients: agentSkills?.clients?.length ? agentSkills.clients : undefined },
  { kind: 'model', model: modelChoice(agentSkills?.model) },
];
