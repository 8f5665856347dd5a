/**
 * Domains that phishing sites imitate: people sign in or pay there. Labels before the public suffix have at least five
 * characters, because most shorter names with one error are names of other sites.
 */
export const popularDomains: readonly string[] = `
  google.com gmail.com youtube.com android.com googlemail.com
  apple.com icloud.com itunes.com
  microsoft.com outlook.com hotmail.com office365.com microsoftonline.com skype.com
  amazon.com amazon.de amazon.co.uk amazon.fr amazon.it amazon.es amazon.ca amazon.co.jp amazon.in audible.com twitch.tv
  facebook.com instagram.com whatsapp.com messenger.com
  twitter.com linkedin.com snapchat.com pinterest.com reddit.com tiktok.com telegram.org discord.com discordapp.com tumblr.com
  wechat.com vkontakte.ru quora.com
  netflix.com spotify.com disneyplus.com deezer.com soundcloud.com dailymotion.com crunchyroll.com hbomax.com paramountplus.com
  yahoo.com protonmail.com proton.me fastmail.com yandex.ru mailbox.org posteo.de
  paypal.com revolut.com klarna.com venmo.com cashapp.com skrill.com payoneer.com zellepay.com worldpay.com
  westernunion.com moneygram.com transferwise.com americanexpress.com mastercard.com
  bankofamerica.com wellsfargo.com citibank.com capitalone.com usbank.com pncbank.com truist.com barclays.co.uk
  santander.com santander.co.uk natwest.com lloydsbank.com halifax.co.uk nationwide.co.uk monzo.com starlingbank.com
  sparkasse.de commerzbank.de deutsche-bank.de postbank.de comdirect.de consorsbank.de targobank.de volksbank.de
  bnpparibas.com societegenerale.fr creditagricole.fr labanquepostale.fr boursorama.com unicredit.it intesasanpaolo.com
  caixabank.es bankinter.com rabobank.nl abnamro.nl postfinance.ch raiffeisen.ch raiffeisen.at erstebank.at nordea.com swedbank.se
  fidelity.com schwab.com vanguard.com robinhood.com etrade.com traderepublic.com
  coinbase.com binance.com kraken.com blockchain.com metamask.io bitfinex.com bitstamp.net gemini.com crypto.com trezor.io
  opensea.io uniswap.org pancakeswap.finance trustwallet.com kucoin.com bybit.com
  aliexpress.com alibaba.com walmart.com bestbuy.com costco.com homedepot.com wayfair.com zalando.de zalando.com
  mercadolibre.com rakuten.co.jp flipkart.com shopify.com shein.com allegro.pl cdiscount.com leboncoin.fr marktplaats.nl
  kleinanzeigen.de mediamarkt.de idealo.de gumtree.com craigslist.org vinted.com
  fedex.com royalmail.com hermesworld.com dpdgroup.com laposte.fr deutschepost.de postnl.nl swisspost.ch canadapost.ca
  auspost.com.au
  booking.com airbnb.com expedia.com tripadvisor.com ryanair.com lufthansa.com easyjet.com skyscanner.net trivago.com
  dropbox.com onedrive.com wetransfer.com docusign.com adobe.com slack.com atlassian.com salesforce.com servicenow.com
  trello.com asana.com mailchimp.com hubspot.com intuit.com quickbooks.com turbotax.com squarespace.com wordpress.com
  github.com gitlab.com bitbucket.org stackoverflow.com npmjs.com docker.com python.org cloudflare.com digitalocean.com godaddy.com
  namecheap.com heroku.com vercel.com netlify.com hetzner.com
  steampowered.com steamcommunity.com epicgames.com roblox.com minecraft.net playstation.com nintendo.com blizzard.com
  fortnite.com riotgames.com ubisoft.com
  openai.com chatgpt.com anthropic.com claude.ai perplexity.ai deepseek.com midjourney.com huggingface.co
  lastpass.com 1password.com bitwarden.com dashlane.com nordvpn.com expressvpn.com surfshark.com protonvpn.com malwarebytes.com
  norton.com mcafee.com kaspersky.com avast.com bitdefender.com
  wikipedia.org mozilla.org firefox.com duckduckgo.com
  verizon.com vodafone.com vodafone.de telekom.de t-mobile.com telefonica.com xfinity.com comcast.com spectrum.net
  samsung.com huawei.com xiaomi.com lenovo.com
`
  .trim()
  .split(/\s+/);
