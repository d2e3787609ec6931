/** Follows a rename until the client has performed it, and says which names it left (docs/editing.md, "Other files"). */
import { type Connection, MessageType } from 'vscode-languageserver';
import type { Analysis } from '../../../analysis/analysis.ts';
import { type Move, movedUri, type RenameClient, type Renamed } from '../../../features/rename/plan.ts';
import type { Files } from '../../../io/files.ts';
import type { ServerMessage } from '../../../protocol.ts';
import { parseBody } from '../../../skill/body.ts';
import { plainReferencesIn } from '../../../skill/plain-references.ts';
import { lineStartsOf, rangeOf } from '../../../text.ts';
import { decoded, fileNameOf } from '../../../vocabulary/dialect.ts';
import { isSureMention, skillMentions } from '../../../workspace/skill-mentions.ts';
import { showMessage } from './client.ts';

/** The largest number of places in a message. */
const MAX_PLACES = 5;

/** The files that a rename does not change, but that may name the skill. */
const OTHER_FILES = ['**/*.{md,mdc}', '**/.claude/*.json'];

/** The largest number of these files that are searched for a name. */
const MAX_READ = 2000;

/** A place that has the old name. */
type Place = NonNullable<ServerMessage['places']>[number];

export class PerformedRename {
  readonly #connection: Connection;
  readonly #files: Files;
  readonly #client: Pick<RenameClient, 'annotations' | 'renamesFiles'>;
  #last: Renamed | undefined;
  /** The moves of the last rename until the client announces them like moves of the user. */
  #moves: readonly Move[] = [];

  /** A client with `annotations` asks the user to confirm annotated edits. */
  constructor(connection: Connection, files: Files, client: Pick<RenameClient, 'annotations' | 'renamesFiles'>) {
    this.#connection = connection;
    this.#files = files;
    this.#client = client;
  }

  /** Notes a rename that the client is about to perform. `movesFiles` is false if the client moves the files anyway. */
  begin(renamed: Renamed, analysis: Analysis, movesFiles = true): void {
    const { occurrences, name, moves, unchecked, isOfSkill } = renamed;
    this.#last = this.#client.annotations && isOfSkill ? renamed : undefined;
    this.#moves = movesFiles ? moves : [];
    if (isOfSkill && !this.#client.annotations) {
      const left = occurrences.filter(({ isSure }) => !isSure);
      const places = left.map(({ file, span }) => ({ uri: file.uri, range: rangeOf(file.lines, span) }));
      void this.#showLeftNames(name, places, analysis);
    }
    if (movesFiles && !this.#client.renamesFiles && moves.length > 0) {
      const { roots } = analysis.index.graph;
      const shown = moves
        .slice(0, MAX_PLACES)
        .map(({ from, to }) => `Rename \`${pathIn(roots, from)}\` to \`${decoded(fileNameOf(to))}\`.`);
      const more = moves.length > MAX_PLACES ? [`${moves.length - MAX_PLACES} more have the old name.`] : [];
      const reason = 'This editor does not rename files with a skill.';
      showMessage(this.#connection, MessageType.Warning, [[reason, ...shown, ...more].join(' ')]);
    }
    if (unchecked > 0) {
      showMessage(this.#connection, MessageType.Info, [
        `The rename changes many files. ${unchecked} of them were not checked for new problems.`,
      ]);
    }
  }

  /** Returns whether moves are those of the last rename, whose edits are complete; true only once for each rename. */
  isOwn(moves: readonly Move[]): boolean {
    const own = this.#moves;
    const isSame =
      own.length > 0 && moves.every(({ from, to }) => own.some((one) => one.from === from && one.to === to));
    if (isSame) this.#moves = [];
    return isSame;
  }

  /** Says which names are left, once the client has performed the last rename. */
  follow(analysis: Analysis): void {
    if (!this.#last) return;
    const { name, newName, moves, occurrences } = this.#last;
    if (analysis.partial || !analysis.isSkillName(newName) || analysis.isSkillName(name)) return;
    const mentionsIn = (uri: string) => {
      const file = analysis.file(movedUri(uri, moves)) ?? analysis.file(uri);
      if (!file) return [];
      const found = skillMentions(file).filter((mention) => mention.name === name);
      return found.map((mention) => ({
        uri: file.uri,
        range: rangeOf(file.lines, mention.nameSpan),
        isSure: isSureMention(file, mention),
      }));
    };
    const left = [...new Set(occurrences.map(({ file }) => file.uri))].flatMap(mentionsIn);
    // The client has not yet changed all files.
    if (left.some(({ isSure }) => isSure)) return;
    this.#last = undefined;
    const places = left.map(({ uri, range }) => ({ uri, range }));
    void this.#showLeftNames(name, places, analysis);
  }

  async #showLeftNames(name: string, known: readonly Place[], analysis: Analysis): Promise<void> {
    // Without the other files, the message is still right.
    const places = [...known, ...(await this.#findElsewhere(name, analysis).catch(() => []))];
    if (places.length === 0) return;
    const { roots } = analysis.index.graph;
    const shown = places
      .slice(0, MAX_PLACES)
      .map(({ uri, range }) => `\`${pathIn(roots, uri)}\` line ${range.start.line + 1}`);
    const more = places.length > MAX_PLACES ? `, and ${places.length - MAX_PLACES} more` : '';
    const line = `These places still have the name \`${name}\`: ${shown.join(', ')}${more}. Change them by hand if they mean the skill.`;
    showMessage(this.#connection, MessageType.Info, [line], places);
  }

  /** Finds the references in files that a rename does not change, such as a README. */
  async #findElsewhere(name: string, { index }: Analysis): Promise<readonly Place[]> {
    const all = await this.#files.find(index.graph.roots, OTHER_FILES);
    const others = all.filter((uri) => {
      const entry = index.files.get(uri);
      return !entry?.isSkill || entry.dialect === 'composer';
    });
    const found: Place[] = [];
    for (const uri of others.slice(0, MAX_READ)) {
      const content = await this.#files.read(uri, { folders: [], isReadDirectly: () => false });
      if (content.kind !== 'text' || !content.text.includes(name)) continue;
      const { text } = content;
      const lines = lineStartsOf(text);
      const references = uri.endsWith('.json')
        ? plainReferencesIn(text, 0)
        : parseBody(text, 0, undefined, true).plainReferences;
      for (const { name: other, form, nameSpan } of references) {
        if (other === name && form !== 'loose') found.push({ uri, range: rangeOf(lines, nameSpan) });
      }
    }
    return found;
  }
}

/** Returns the path of a file in its workspace folder. */
function pathIn(roots: readonly string[], uri: string): string {
  const root = roots.find((one) => uri.startsWith(`${one}/`));
  return decoded(root === undefined ? fileNameOf(uri) : uri.slice(root.length + 1));
}
