/** Follows a rename until the client has performed it, and says which names it left (docs/editing.md, "Other files"). */
import { type Connection, MessageType } from 'vscode-languageserver';
import type { Analysis } from '../../../analysis/analysis.ts';
import { type Move, movedUri, quotedFileName, type Renamed } from '../../../features/rename/plan.ts';
import { lineAt } from '../../../text.ts';
import { isSureMention, skillMentions } from '../../../workspace/skill-mentions.ts';
import { showMessage } from './client.ts';

/** The largest number of places in a message. */
const MAX_PLACES = 5;

export class PerformedRename {
  readonly #connection: Connection;
  readonly #confirms: boolean;
  #last: Renamed | undefined;
  /** The moves of the last rename until the client announces them like moves of the user. */
  #moves: readonly Move[] = [];

  /** `confirms` is true if the client asks the user to confirm annotated edits. */
  constructor(connection: Connection, confirms: boolean) {
    this.#connection = connection;
    this.#confirms = confirms;
  }

  /** Notes a rename that the client is about to perform. `movesFiles` is false if the client moves the files anyway. */
  begin(renamed: Renamed, movesFiles = true): void {
    const { occurrences, name, moves, unchecked } = renamed;
    this.#last = this.#confirms && occurrences.some(({ isSure }) => !isSure) ? renamed : undefined;
    this.#moves = movesFiles ? moves : [];
    const left = this.#confirms ? [] : occurrences.filter(({ isSure }) => !isSure);
    this.#tell(
      name,
      left.map(({ file, span }) => ({ uri: file.uri, line: lineAt(file.lines, span.start) + 1 })),
    );
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
      const file = analysis.file(movedUri(uri, moves));
      const found = file ? skillMentions(file).filter((mention) => mention.name === name) : [];
      return found.map((mention) => ({
        uri: file?.uri ?? uri,
        line: file ? lineAt(file.lines, mention.nameSpan.start) + 1 : 1,
        isSure: file !== undefined && isSureMention(file, mention),
      }));
    };
    const left = [...new Set(occurrences.map(({ file }) => file.uri))].flatMap(mentionsIn);
    // The client has not yet changed all files.
    if (left.some(({ isSure }) => isSure)) return;
    this.#last = undefined;
    this.#tell(name, left);
  }

  #tell(name: string, places: readonly { readonly uri: string; readonly line: number }[]): void {
    if (places.length === 0) return;
    const shown = places.slice(0, MAX_PLACES).map(({ uri, line }) => `${quotedFileName(uri)} line ${line}`);
    const more = places.length > MAX_PLACES ? `, and ${places.length - MAX_PLACES} more` : '';
    showMessage(this.#connection, MessageType.Info, [
      `The name \`${name}\` was not changed where it may mean something else: ${shown.join(', ')}${more}.`,
    ]);
  }
}
