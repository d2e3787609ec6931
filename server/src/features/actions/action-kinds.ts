/** The kinds of code actions other than `quickfix`. A separate file lets code import them without the actions. */

export const FIX_ALL = 'source.fixAll.skillComposer';

export const REFACTOR_KINDS: readonly string[] = ['refactor.extract', 'refactor.rewrite'];
