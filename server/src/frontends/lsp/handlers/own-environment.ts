/** The environment of programs that the server starts. */

/**
 * Returns an environment without the editor's variables, because they would prevent programs that are part of the editor
 * from starting correctly.
 */
export const ownEnvironment = (all: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(all).filter(([name]) => !/^(?:ELECTRON_|VSCODE_)/.test(name)));
