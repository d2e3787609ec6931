/**
 * Tokens for the values of the frontmatter, for names in templates and conditions, and for references in prose. What the
 * grammar colours already gets the type with the same colour, so that nothing flickers. Unknown names get none.
 */
import type { Range, SemanticTokens } from 'vscode-languageserver-types';
import type { Analysis } from '../../analysis/analysis.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { Locate } from '../locate.ts';
import { frontmatterTokens } from './frontmatter-tokens.ts';
import { nameTokens } from './known-names.ts';
import { referenceTokens } from './reference-tokens.ts';
import { templateTokens } from './template-tokens.ts';
import { TOKEN_MODIFIERS, TOKEN_TYPES, type Token } from './token.ts';

/** The tokens that touch the range, without one all of them. */
export function semanticTokens(analysis: Analysis, file: SkillFile, locate: Locate, range?: Range): SemanticTokens {
  const from = range ? locate.offset(file, range.start) : 0;
  const to = range ? locate.offset(file, range.end) : file.text.length;
  const ofName = nameTokens(analysis, file);
  const tokens = [...frontmatterTokens(file, ofName), ...referenceTokens(file, ofName), ...templateTokens(file)]
    .filter(({ span }) => span.start < to && from < span.end)
    .sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
  return { data: encoded(file, tokens, locate) };
}

/** Five numbers a token: lines and columns from the one before, its length, its type and a bit for each modifier. */
function encoded(file: SkillFile, tokens: readonly Token[], locate: Locate): number[] {
  const data: number[] = [];
  let line = 0;
  let character = 0;
  let end = 0;
  for (const { span, type, modifiers } of tokens) {
    const place = locate.range(file, span);
    // Clients take neither nested tokens nor tokens of several lines.
    if (span.start < end || span.end === span.start || place.start.line !== place.end.line) continue;
    end = span.end;
    const { start } = place;
    const bits = modifiers.reduce((all, modifier) => all | (1 << TOKEN_MODIFIERS.indexOf(modifier)), 0);
    const column = start.line === line ? start.character - character : start.character;
    data.push(start.line - line, column, place.end.character - start.character, TOKEN_TYPES.indexOf(type), bits);
    ({ line, character } = start);
  }
  return data;
}
