/** Tokenizes strings with the grammars of the project, as an editor does, and writes the scopes under each line. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import oniguruma from 'vscode-oniguruma';
import textmate, { type IGrammar, type IRawGrammar } from 'vscode-textmate';
import { markdown, yaml } from './stand-ins.ts';

export interface ScopedSpan {
  /** Columns, half-open. */
  readonly start: number;
  readonly end: number;
  readonly scope: string;
}

const read = (path: string): IRawGrammar => textmate.parseRawGrammar(readFileSync(path, 'utf8'), path);

const raw: Readonly<Record<string, () => IRawGrammar>> = {
  'text.html.markdown.skillmd': () => read('syntaxes/skillmd.tmLanguage.json'),
  'source.minijinja': () => read('syntaxes/minijinja.tmLanguage.json'),
  'text.html.markdown': () => parse(markdown),
  'source.yaml': () => parse(yaml),
};

const parse = (grammar: object) => textmate.parseRawGrammar(JSON.stringify(grammar), 'stand-in.json');

export async function loadGrammar(scope: string): Promise<IGrammar> {
  const wasm = createRequire(import.meta.url).resolve('vscode-oniguruma/release/onig.wasm');
  await oniguruma.loadWASM(readFileSync(wasm));
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async (name) => raw[name]?.() ?? null,
  });
  const grammar = await registry.loadGrammar(scope);
  if (!grammar) throw new Error(`no grammar ${scope}`);
  return grammar;
}

const MARKER = /^ *\^+ [a-z][a-z0-9.-]+$/;

/** The lines of a fixture without the markers. */
export const withoutMarkers = (fixture: string): readonly string[] =>
  fixture.split('\n').filter((line) => !MARKER.test(line));

/**
 * The lines, with `^^^ scope` under every span whose scope is, or begins with, one of the `watched` scopes. A fixture
 * therefore shows all text with these scopes.
 */
export function withMarkers(grammar: IGrammar, lines: readonly string[], watched: readonly string[]): string {
  let stack = textmate.INITIAL;
  const out = lines.flatMap((line) => {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, stack);
    stack = ruleStack;
    const runs = watched.flatMap((scope) => runsOf(tokens, scope, line.length));
    runs.sort((a, b) => a.start - b.start || b.end - a.end);
    return [line, ...runs.map(({ start, end, scope }) => `${' '.repeat(start)}${'^'.repeat(end - start)} ${scope}`)];
  });
  return out.join('\n');
}

type Token = ReturnType<IGrammar['tokenizeLine']>['tokens'][number];

function runsOf(tokens: readonly Token[], watched: string, length: number): ScopedSpan[] {
  const runs: ScopedSpan[] = [];
  for (const { startIndex: start, endIndex, scopes } of tokens) {
    const end = Math.min(endIndex, length);
    const scope = scopes.find((name) => name === watched || name.startsWith(`${watched}.`));
    if (!scope || start >= end) continue;
    const last = runs.at(-1);
    if (last && last.scope === scope && last.end === start) runs[runs.length - 1] = { ...last, end };
    else runs.push({ start, end, scope });
  }
  return runs;
}
