/** A function that runs pieces of work one after another. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Returns a function that runs each piece of work after all earlier ones have ended, also if an earlier one failed. Its
 * promise settles as the work does.
 */
export function oneAfterAnother(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
}
