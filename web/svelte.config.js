// Only what the compiler must know: CSS in files, never in script-made style elements.
export default { compilerOptions: { css: 'external', runes: true } }
