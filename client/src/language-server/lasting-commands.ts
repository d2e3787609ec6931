/** Commands of code actions that still exist when VS Code has applied the action's edit. */

interface Command {
  readonly title: string;
  readonly command: string;
  readonly arguments?: readonly unknown[];
}

interface Disposable {
  dispose(): unknown;
}

/** How many commands are kept. A list of code actions has few, and only those of the last lists can still be run. */
const KEPT = 50;

/**
 * Replaces commands that have arguments by commands without arguments. VS Code forgets the arguments of a command as
 * soon as it asks for code actions again, which it does when the action's edit changes the text. On a busy machine this
 * is earlier than the command, which then fails with "Actual command not found" (observed: VS Code 1.100.3, 2026-11-30).
 */
export class LastingCommands implements Disposable {
  readonly #prefix: string;
  readonly #register: (id: string, run: () => unknown) => Disposable;
  readonly #execute: (command: string, ...args: readonly unknown[]) => unknown;
  readonly #kept = new Map<string, { readonly id: string; readonly registration: Disposable }>();
  #count = 0;

  /**
   * @param prefix the first part of the names of the new commands
   * @param register registers a command of the editor
   * @param execute runs a command of the editor
   */
  constructor(
    prefix: string,
    register: (id: string, run: () => unknown) => Disposable,
    execute: (command: string, ...args: readonly unknown[]) => unknown,
  ) {
    this.#prefix = prefix;
    this.#register = register;
    this.#execute = execute;
  }

  /**
   * Returns a command without arguments that does the same. Equal commands get the same one.
   *
   * @param command a command whose arguments are JSON values
   * @returns the command itself if it has no arguments
   */
  lasting<C extends Command>(command: C): C | { readonly title: string; readonly command: string } {
    const { title, command: name, arguments: given = [] } = command;
    if (given.length === 0) return command;
    const key = JSON.stringify([name, given]);
    const kept = this.#kept.get(key) ?? this.#add(() => this.#execute(name, ...given));
    // The last used command is the last to be forgotten.
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    for (const [oldest, { registration }] of this.#kept) {
      if (this.#kept.size <= KEPT) break;
      this.#kept.delete(oldest);
      registration.dispose();
    }
    return { title, command: kept.id };
  }

  dispose(): void {
    for (const { registration } of this.#kept.values()) registration.dispose();
    this.#kept.clear();
  }

  #add(run: () => unknown) {
    const id = `${this.#prefix}${++this.#count}`;
    return { id, registration: this.#register(id, run) };
  }
}
