type Palette = typeof light;

// Every colour of text reads well on both grounds (WCAG 2.2 AA, 4.5 to 1); the test beside the page computes it.
const light = {
  ground: '#ffffff',
  raised: '#f1f5f7',
  line: '#cfd9df',
  text: '#16212b',
  quiet: '#4a5965',
  accent: '#0b6170',
  good: '#1c6633',
  note: '#1b579c',
  care: '#874a00',
  bad: '#a3262a',
};

const dark: Palette = {
  ground: '#0f171d',
  raised: '#18232b',
  line: '#33434f',
  text: '#e0e8ed',
  quiet: '#a3b3be',
  accent: '#70cbd8',
  good: '#7fd196',
  note: '#8fbdf5',
  care: '#f0b866',
  bad: '#ff9c98',
};

export const palettes = { light, dark };

const variables = (palette: Palette): string =>
  Object.entries(palette)
    .map(([name, colour]) => `--${name}:${colour}`)
    .join(';');

/**
 * The one style of the page, for screens from 360 pixels on and for paper. On paper nobody unfolds: the good answers lie
 * open there, while failures, which are alike everywhere, stay as the reader left them.
 */
export const pageStyle = `
:root{${variables(light)};color-scheme:light dark}
@media screen and (prefers-color-scheme:dark){:root{${variables(dark)}}}
*{box-sizing:border-box}
dd>:last-child,details>:last-child{margin-bottom:0}
html{scroll-padding-top:1rem;-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--ground);color:var(--text);font:1rem/1.6 system-ui,sans-serif;overflow-wrap:anywhere}
code,pre,.method,.status{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.9em}
p{margin:.4rem 0}
a{color:var(--accent);text-underline-offset:.2em}
a:focus-visible,summary:focus-visible,main:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:3px}
h1,h2,h3,h4{line-height:1.25;text-wrap:balance}
h1{margin:0;font-size:2.2rem;letter-spacing:-.02em}
h2{margin:0 0 1rem;font-size:1.5rem}
h3{margin:0;font-size:1.2rem}
h3 a{color:inherit;text-decoration:none}
h3 a:hover{text-decoration:underline}
h4{margin:1.5rem 0 .4rem;font-size:1rem}
.skip{position:absolute;left:-100vw;padding:.5rem 1rem;background:var(--ground)}
.skip:focus{left:.5rem;top:.5rem;z-index:1}
.frame{max-width:76rem;margin:0 auto;padding:0 1rem}
header{padding:2.5rem 0 1.5rem}
header p{max-width:44rem;font-size:1.1rem}
.quiet,.type,.limits,footer{color:var(--quiet)}
.version{display:inline-block;padding:0 .6em;border:1px solid var(--line);border-radius:1em;color:var(--quiet);font-size:1rem;font-weight:400;letter-spacing:0;vertical-align:middle}
nav{padding:1rem;background:var(--raised);border-radius:.6rem}
nav h2{margin:0 0 .5rem;font-size:1rem}
nav ul{margin:0;padding:0;list-style:none}
nav ul ul{margin:0 0 .6rem}
nav a{display:flex;gap:.6rem;align-items:baseline;padding:.15rem 0;color:inherit;text-decoration:none}
nav a:hover{text-decoration:underline}
nav li>a.group{font-weight:600}
nav .method{flex:none;width:3.6em;font-size:.75em}
main>section{margin:0;padding:2.5rem 0 0}
article{margin:0 0 1.5rem;padding:1.25rem;border:1px solid var(--line);border-radius:.6rem}
article:target{border-color:var(--accent)}
.endpoint{display:flex;gap:.75rem;align-items:baseline;margin:.75rem 0;padding:.5rem .75rem;background:var(--raised);border-radius:.4rem}
.method,.status{font-weight:700}
.good{color:var(--good)}.note{color:var(--note)}.care{color:var(--care)}.bad{color:var(--bad)}
:not(pre)>code:not(.name){padding:.05em .3em;background:var(--raised);border-radius:.25em}
.endpoint>code:not(.name),nav code:not(.name){padding:0;background:none}
pre{margin:.75rem 0;padding:1rem;background:var(--raised);border-radius:.4rem;white-space:pre-wrap;line-height:1.5}
.members{margin:.5rem 0}
.members>div{padding:.55rem 0;border-top:1px solid var(--line)}
.members>div:first-child{border-top:0}
dt{display:flex;flex-wrap:wrap;gap:0 .7rem;align-items:baseline}
dd{margin:0}
dd p{margin:.15rem 0}
.name{font-weight:600}
.required{color:var(--care);font-size:.85rem;font-weight:600}
.answer .required{color:var(--quiet);font-weight:400}
.limits{font-size:.95rem}
.limits::first-letter{text-transform:uppercase}
details{margin:.25rem 0}
summary{padding:.25rem 0 .25rem 1.1rem;text-indent:-1.1rem;cursor:pointer}
dd details{padding-left:.75rem;border-left:2px solid var(--line)}
dd summary{color:var(--quiet);font-size:.95rem}
.answer{margin:0;padding:.3rem 0;border-top:1px solid var(--line)}
details.answer>:not(summary){margin-left:1.1rem}
p.answer{padding-left:1.1rem}
.answer .status{margin-right:.5rem}
.answer .kinds{margin:0;color:var(--quiet);font-size:.9em}
footer{margin:3rem 0 0;padding:1.5rem 0;border-top:1px solid var(--line)}
@media (min-width:60rem){
.columns{display:grid;grid-template-columns:17rem minmax(0,1fr);gap:3rem;align-items:start}
nav{position:sticky;top:1rem;max-height:calc(100vh - 2rem);overflow-y:auto}
main>section:first-child{padding-top:0}
}
@media (max-width:30rem){
h1{font-size:1.8rem}
article{padding:1rem .75rem}
}
@media print{
nav,.skip{display:none}
:root{font-size:10pt}
article{padding:0;border:0}
h2,h3,h4,dt,summary,.endpoint{break-after:avoid}
pre{break-inside:avoid-page}
details:has(>summary>.good)::details-content{content-visibility:visible;block-size:auto}
}
`;
