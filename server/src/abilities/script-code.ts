/** Finds what is not analysed in a script (docs/abilities.md, "Not analysed"). */
import { unanalysedInJavaScript } from './javascript-code.ts';
import { unanalysedInPython } from './python-code.ts';
import type { ScriptLanguage } from './scripts.ts';
import { unanalysedInShell } from './shell-commands.ts';
import { firstOfNames, type ScannedFiles, type Unanalysed, unanalysed } from './unanalysed.ts';

/** Returns the first use of each program, module and piece of code in a script that is not analysed. */
export function unanalysedIn(
  path: string,
  language: ScriptLanguage,
  text: string,
  scanned: ScannedFiles,
): readonly Unanalysed[] {
  const interpreter = interpreterOf(text);
  const found = [...otherInterpreter(language, interpreter), ...IN[language](text, { path, interpreter, scanned })];
  return firstOfNames(found);
}

interface ScriptFacts {
  readonly path: string;
  readonly interpreter: Interpreter | undefined;
  readonly scanned: ScannedFiles;
}

const IN: Readonly<Record<ScriptLanguage, (text: string, facts: ScriptFacts) => readonly Unanalysed[]>> = {
  python: (text, { scanned }) => unanalysedInPython(text, scanned),
  javascript: (text, { scanned }) => unanalysedInJavaScript(text, scanned),
  shell: (text, { path, interpreter, scanned }) => {
    const dialect = interpreter?.name ?? /\.(bash|zsh|ksh|fish)$/i.exec(path)?.[1]?.toLowerCase() ?? 'sh';
    // The syntax of fish differs. zsh has expansions that run code.
    const own = dialect === 'fish' || dialect === 'zsh' ? [unanalysed('code', `${dialect} code`, 0, 0)] : [];
    if (dialect === 'fish') return own;
    return [...own, ...unanalysedInShell(text, { scanned, isBash: /^(?:bash|zsh|ksh)$/.test(dialect) })];
  },
};

interface Interpreter {
  /** The name of the program in the first line, without its folder. */
  readonly name: string;
  readonly args: readonly string[];
  readonly end: number;
}

/** Returns the program in the first line, such as `#!/usr/bin/env bash`. */
function interpreterOf(text: string): Interpreter | undefined {
  const line = /^\uFEFF?#![^\n]{0,400}/.exec(text)?.[0];
  const [program = '', ...args] =
    line
      ?.replace(/^\uFEFF?#!/, '')
      .trim()
      .split(/\s+/) ?? [];
  if (line === undefined) return undefined;
  const isEnv = /(?:^|\/)env$/.test(program);
  const words = isEnv && args[0] === '-S' ? args.slice(1) : args;
  const [name, ...rest] = isEnv ? words : [program, ...args];
  return { name: (name ?? program).replace(/^.*\//, ''), args: rest, end: line.length };
}

const EXPECTED: Readonly<Record<ScriptLanguage, readonly [RegExp, RegExp]>> = {
  shell: [/^(?:ba|z|k|da|fi)?sh$/, /^-[euxvEo]{1,6}$|^pipefail$/],
  python: [/^python[\d.]*$/, /^-[uBEsIO]{1,6}$/],
  javascript: [/^(?:node|bun|deno)$/, /^$/],
};

/** Reports an interpreter that runs another language, or has options that may run other code. */
function otherInterpreter(language: ScriptLanguage, interpreter: Interpreter | undefined): readonly Unanalysed[] {
  if (!interpreter) return [];
  const [name, options] = EXPECTED[language];
  const isExpected = name.test(interpreter.name) && interpreter.args.every((one) => options.test(one));
  return isExpected ? [] : [unanalysed('program', interpreter.name, 0, interpreter.end)];
}
