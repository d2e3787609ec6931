/** Those who wait for a condition; somebody has to settle it after each change. */
export class Conditions {
  #waiting: { readonly holds: () => boolean; readonly resolve: () => void }[] = [];

  /** Resolves when the condition holds. */
  until(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => void this.#waiting.push({ holds, resolve }));
  }

  /** Tells those whose condition holds now. */
  settle(): void {
    const held = this.#waiting.filter(({ holds }) => holds());
    this.#waiting = this.#waiting.filter((one) => !held.includes(one));
    for (const { resolve } of held) resolve();
  }
}
