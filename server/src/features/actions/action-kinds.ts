/** The kinds of code actions beside `quickfix`; a file of its own, so that naming them loads no actions. */

export const FIX_ALL = 'source.fixAll.skillComposer';

export const REFACTOR_KINDS: readonly string[] = ['refactor.extract', 'refactor.rewrite'];
