/**
 * Innocent words and names that players write: none may be blocked. Those that look like an insult
 * when letters are folded matter most.
 */

const split = (list: string): readonly string[] =>
  list
    .split(",")
    .map((word) => word.trim().replace(/\s+/g, " "))
    .filter((word) => word !== "");

export const INNOCENT_WORDS: Readonly<Record<string, readonly string[]>> = {
  states: split(`
    Abia, Adamawa, Akwa Ibom, Anambra, Bauchi, Bayelsa, Benue, Borno, Cross River, Delta, Ebonyi, Edo, Ekiti, Enugu,
    Gombe, Imo, Jigawa, Kaduna, Kano, Katsina, Kebbi, Kogi, Kwara, Lagos, Nasarawa, Niger, Niger State, Ogun, Ondo,
    Osun, Oyo, Plateau, Rivers, Sokoto, Taraba, Yobe, Zamfara, Abuja, Umuahia, Yola, Uyo, Awka, Yenagoa, Makurdi,
    Maiduguri, Calabar, Asaba, Abakaliki, Benin City, Ado Ekiti, Owerri, Dutse, Birnin Kebbi, Lokoja, Ilorin, Ikeja,
    Lafia, Minna, Abeokuta, Akure, Osogbo, Ibadan, Jos, Port Harcourt, Jalingo, Damaturu, Gusau, Niger Delta,
    Nigeria, Nigerien, Niger Republic, Naija
  `),
  localGovernments: split(`
    Abia, Aba North, Arochukwu, Aba South, Isiala Ngwa South, Bende, Ikwuano, Isiala, Ngwa North, Isukwuato, Ukwa
    West, Ukwa East, Umuahia South, Umuahia, Adamawa, Demsa, Fufore, Ganye, Girei, Gombi, Jada, Yola North, Lamurde,
    Madagali, Maiha, Mayo-Belwa, Michika, Mubi South, Numna, Shelleng, Song, Toungo, Jimeta, Yola South, Hung, Akwa
    Ibom, Abak, Eastern Obolo, Eket, Essien Udim, Etimekpo, Etinan, Ibeno, Ibesikpo Asutan, Ibiono Ibom, Ika, Ikono,
    Ikot Abasi, Ikot Ekpene, Ini, Itu, Mbo, Mkpat Enin, Nsit Ibom, Nsit Ubium, Obot Akara, Okobo, Onna, Orukanam,
    Oron, Udung Uko, Ukanafun, Esit Eket, Uruan, Urue Offoung, Oruko Ete, Uyo, Anambra, Aguata, Akwa North,
    Anambra-West, Anaocha, Awka-North, Awka-South, Ayamelum, Dunukofia, Ekwusigo, Idemili-North, Idemili-South,
    Ihiala, Imo, Nibo, Njikoka, Nnewi-North, Nnewi-South, Ogbaru, Olumba, Onitsha-North, Onitsha-South,
    Orumba-North, Orumba-South, Oti, Otu-Ocha, Ubuluizor Ihiala, Uyi, Bauchi, Alkaleri, Bogoro, Damban, Darazo,
    Dass, Gamawa, Ganjuwa, Giade, Itas/Gadau, Jama'Are, Katagum, Kirfi, Misau, Ningi, Shira, Tafawa-Balewa, Toro,
    Warji, Zaki, Benue, Ado, Agatu, Apa, Buruku, Gboko, Guma, Gwer-East, Gwer-West, Katsina-Ala, Konshisha, Kwande,
    Logo, Makurdi, Ogbadibo, Ohimini, Oju, Okpokwu, Otukpo, Oturkpa, Tarka, Ukum, Vandekya, Borno, Abadan,
    Askira-Uba, Bama, Bayo, Biu, Chibok, Damboa, Dikwa, Gubio, Guzamala, Gwoza, Hawul, Jere, Kaga, Kala/Balge,
    Konduga, Kukawa, Kwaya-Kusar, Mafa, Magumeri, Maiduguri, Marte, Mobbar, Mongunu, Ngala, Nganzai, Shani, Bayelsa,
    Adagbabiri, Brass, Ekeremor, Kembe, Kolokuma, Kolokuma/Opkuma, Nembe, Ogbia, Sagbama, Southern-Ijaw, Toru-Abubo,
    Yenegoa, Cross River, Abi, Abuochichie, Akamkpa, Akpabuyo, Bakassi, Bekwara, Biasi, Boki, Calabar-Municipal,
    Calabar-South, Etunk, Ikom, Obanliku, Obubra, Obudu, Odukpani, Ogoja, Ugep-North, Yakurr, Yala, Delta, Aniocha
    North, Aniocha-North, Aniocha-South, Bomadi, Burutu, Effurun, Ethiope-East, Ethiope-West, Idu, Ika-Ne,
    Ika-North-East, Ika-South, Ikpemili, Isoko-North, Isoko-South, Ndokwa-East, Ndokwa-North, Ndokwa-South,
    Ndokwa-West, Okpe, Okwuani, Oleh, Oshielli-North, Oshimili, Oshimili-North, Oshimili-South, Osimili,
    Osimili-North, Osimili-South, Patani, Sapele, Udokwa, Udu, Ughelli-North, Ughelli-South, Ukwuani, Uraun, Urwie,
    Uvie, Uvwei, Uvwie, Uwvie, Warri-Central, Warri-North, Warri-South, Ebonyi, Abakaliki, Afikpo-North,
    Afikpo-South, Bomadim, Ezza-North, Ezza-South, Ikwo, Ishielu, Ivo, Izzi, Obaukwu, Ohakwu, Onicha, Ukaba, Edo,
    Afokpella, Afuze, Agbazilo, Akoko Edo, Akoko-Edo, Egor, Esan-Central, Esan-North-East, Esan-South-East,
    Esan-West, Etsako-Central, Etsako-East, Etsako-West, Igueben, Iguobano North East, Ikpoba-Okha, Ohunmwode,
    Ologbo, Opoji Irrua, Oredo, Orhionmwon, Ovia-North-East, Ovia-South-West, Owan East, Owan-East, Owan-West,
    Uhunmwonde, Ekiti, Ado-Ekiti, Aiyekire, Efon, Ekiti-East, Ekiti-South-West, Ekiti-West, Emure/Ise/Orun, Gbonyin,
    Ido-Osi, Ijero, Ikare, Ikere, Ikole, Ilejemeje, Irepodun/Ifelodun, Ise-Orun, Moba, Oye, Enugu, Aninri, Awgu,
    Enugu-East, Enugu-North, Enugu-South, Ezeagu, Igbo-Etiti, Igbo-Eze-North, Igbo-Eze-South, Isi-Uzo, Nkanu-East,
    Nkanu-West, Nsukka, Nukanu East, Oji-River, Udenu, Udi, Uzo-Uwani, Federal Capital Territory, Abaji, Abuja
    Municipal, Gwagwalada, Kuje, Bwari, Kwali, Gombe, Akko, Balanga, Billiri, Dukku, Funakaye, Kaltungo, Kwami,
    Nafada/Bajoga, Shomgom, Yamaltu/Deba, Aboh-Mbaise, Ahiazu-Mbaise, Dral-Esat, Ehime-Mbano, Ezeobodo, Ezinihitte,
    Ideato, Ideato-North, Ideato-South, Ihitte/Uboma, Ikeduru, Isiala-Mbano, Isu, Mbaitoli, Mbano, Ngor-Okpala,
    Njaba, Nkwerre, Nwangele, Obowo, Oguta, Ohaji-Egbema, Okigwe, Onuimo, Orlu, Oro-West, Orsu, Oru-East, Oru-West,
    Owerri-Municipal, Owerri-North, Owerri-West, Ugiri-Ike Ikeduru, Ugiri-Ikedikeduru, Unbano, Zinihitte, Jigawa,
    Auyo, Babura, Biriniwa, Birnin-Kudu, Bosuwa, Buji, Dutse, Gagarawa, Garki, Gumel, Guri, Gwaram, Gwiwa, Hadejia,
    Jahun, Kafin-Hausa, Kaugama, Kazaure, Kirkasamma, Maigatari, Malam-Maduri, Miga, Ringim, Roni, Sule-Tankarkar,
    Taura, Yankwashi, Kebbi, Aleiro, Arewa-Dandi, Argungu, Augie, Bagudo, Birnin-Kebbi, Bumza, Dandi, Danko, Fakai,
    Gwandu, Jega, Kalgo, Koko-Besse, Maiyama, Ngaski, Sakaba, Shanga, Suru, Wasagu, Yauri, Zuru, Kaduna,
    Birnin-Gwari, Chikun, Giwa, Gwagwada, Igabi, Ikara, Jaba, Jema'A, Kachia, Kaduna-North, Kagarko, Kajuru, Kaura,
    Kauru, Koka/Kawo, Kubah, Kudan, Lere, Makarfi, Sabon-Gari, Sanga, Soba, Tudun-Wada/Makera, Zango-Kataf, Zaria,
    Kano, Ajingi, Albasu, Bagwai, Bebeji, Bichi, Bunkure, Dala, Dambatta, Dawakin-Kudu, Dawakin-Tofa, Doguwa, Fagge,
    Gabasawa, Garko, Garun-Mallam, Gaya, Gezawa, Gwale, Gwarzo, Kano-Municipal, Karaye, Kibiya, Kiru, Kumbotso,
    Kunchi, Kura, Madobi, Makoda, Minjibir, Nasarawa, Rano, Rimin-Gado, Rogo, Shanono, Sumaila, Takai, Tarauni,
    Tofa, Tsanyawa, Tudun-Wada, Ungogo, Warawa, Wudil, Kogi, Adavi, Ajaokuta, Ankpa, Dekina, Ibaji, Idah, Igalamela,
    Ijumu, Ikoyi-Ijumu, Kabba/Bunu, Lokoja, Mopa-Muro-Mopi, Obaji, Ofu, Ogori/Magongo, Okehi, Okene, Olamaboro,
    Omala, Oru, Oyi, Yagba-East, Yagba-West, Katsina, Bakori, Batagarawa, Batsari, Baure, Bindawa, Charanchi,
    Dan-Musa, Dandume, Danji, Daura, Dutsi, Dutsinma, Faskari, Funtua, Ingawa, Jibia, Kafur, Kaita, Kankara, Kankia,
    Kurfi, Kusada, Mai-Adua, Malumfashi, Mani, Mashi, Matazu, Musawa, Rimi, Sabuwa, Safana, Sandamu, Zango, Kwara,
    Asa, Baruten, Edu, Ifelodun, Ilorin south, Ilorin west, Ilorin east, Irepodun, Isin, Kaiama, Moro, Offa, Oke
    ero, Oyun, Pategi, Lagos, Agege, Ajeromi-Ifelodun, Alimosho, Amuwo-Odofin, Apapa, Badagry, Epe, Eti-Osa,
    Ibeju-Lekki, Ifako-Ijaiye, Ikeja, Ikorodu, Kosofe, Lagos-Island, Lagos-Mainland, Mushin, Ojo, Oshodi-Isolo,
    Shomolu, Somolu, Surulere, Nassarawa, Akwanga, Awe, Doma, Karu, Keana, Keffi, Kokona, Lafia, Nassawara,
    Nassawara Eggon, Obi, Wambu, Niger, Agaie, Agwara, Bida, Borgu, Bosso, Chanchaga, Edati, Gbako, Gurara, Katcha,
    Kontagora, Lapai, Lavun, Magama, Mariga, Mashegu, Mokwa, Muya, Paikoro, Rafi, Rijau, Shiroro, Suleja, Tafa,
    Wushishi, Ogun, Abeokuta-North, Abeokuta-South, Ado-Odo/Ota, Ewekoro, Ifo, Ijebu-East, Ijebu-North,
    Ijebu-North-East, Ijebu-Ode, Ikenne, Imeko-Afon, Ipokia, Obafemi-Owode, Odeda, Odogbolu, Ogun-Waterside,
    Remo-North, Sagamu, Yewa North, Yewa South, Ondo, Akoko, Akoko-North, Akoko-North-West, Akoko-South,
    Akoko-South-East, Akure, Akure-North, Akure-South, Ese-Odo, Idanre, Ifedore, Igbisin, Ikale, Ilaje, Ilaje-West,
    Ile-Oluji-Okeigbo, Irele, Odigbo, Oka Ak0Ko, Okiti Pupa Ijuodo, Okiti-Pupa, Ondo West, Ondo-East, Ose, Owo,
    Osun, Atakumosa, Atakumosa East, Ayeda-Ade, Ayedire, Boluwaduro, Boripe, Ede, Ede North, Egbedore, Ejigbo, Ife,
    Ife North, Ife South, Ife-Central, Ife-East, Ila, Ilesa-East, Ilesa-West, Ilesha, Ilesha West, Irewole, Isokan,
    Iwo, Obokun, Odo-Otin, Ola Oluwa, Olorunda, Ori-Ade, Orolu, Osogbo, Oyo, Afijio, Akinyele, Atiba, Atisbo,
    Egbeda, Ibadan-Central, Ibadan-North-East, Ibadan-North-West, Ibadan-South-East, Ibadan-South-West,
    Ibarapa-Central, Ibarapa-East, Ibarapa-North, Ido, Irepo, Iseyin, Itseiwaju, Iwajowa, Kajola, Lagelu, Odo-Oluwa,
    Ogbomosho-North, Ogbomosho-South, Olorunsogo, Oluyole, Ona-Ara, Orelope, Ori-Ire, Oyo-East, Oyo-West, Saki-East,
    Saki-West, Plateau, Barkin-Ladi, Bassa, Bokkos, Jos-East, Jos-North, Jos-South, Kanam, Kanke, Langtang-North,
    Langtang-South, Mangu, Mikang, Pankshin, Quan'Anpan, Riyom, Shendam, Wase, Rivers, Aboa/Odual, Ahoada-East,
    Ahoada-West, Akukutoru, Andoni, Asari-Toru, Bonny, Buguma, Degema, Eleme, Elfane, Emuoha, Etche, Gokana,
    Ikwerre, Khana, Obia/Akpor, Ogba-Egbema-Ndoni, Ogba/Egbema/Ndoni, Ogu/Bolo, Okirika, Omuma, Opobo/Nkoro, Oyigbo,
    Port-Harcourt, Tai, Sokoto, Binji, Bodinga, Dange-Shuni, Gada, Goronyo, Gudu, Gwadabawa, Illela, Kebbe, Kware,
    Raba, Sabo-Birni, Shagari, Silame, Sokoto-North, Sokoto-South, Tambuwal, Tangaza, Tureta, Wamakko, Wurno, Yabo,
    Taraba, Ardo-Kola, Bali, Donga, Gashaka, Gassol, Ibi, Jalingo, Karim-Lamido, Kurmi, Lau, Oilingo, Sardauna,
    Takum, Ussa, Wukari, Yorro, Zing, Yobe, Bade, Borsali, Damaturu, Fika, Fune, Geidam, Gogaram, Gujba, Gulani,
    Jakusko, Karasuwa, Machina, Nangere, Nguru, Potiskum, Tarmua, Yunusari, Yusufari, Zamfara, Anka, Bakura,
    Bukkuyum, Bungudu, Gumi, Gusau, Isa, Kaura-Namoda, Kiyawa, Maradun, Maru, Shinkafi, Talata-Mafara, Tsafe, Zurmi
  `),
  towns: split(`
    Ijebu Ode, Ode Omu, Ode Remo, Ode Irele, Ode Aye, Ode Ekiti, Ode Itsekiri, Igbara Oke, Sagamu, Epe, Badagry,
    Lekki, Ajah, Yaba, Surulere, Mushin, Oshodi, Ojota, Ketu, Ojo, Festac, Apapa, Ajegunle, Makoko, Obalende, Ikoyi,
    Shitta, Bariga, Agege, Ogba, Isolo, Ejigbo, Igando, Iyana Ipaja, Ilupeju, Anthony, Maryland, Ogudu, Magodo,
    Berger, Mowe, Ibafo, Ota, Ife, Ilesa, Ede, Iwo, Ogbomoso, Offa, Omu Aran, Jebba, Bida, Kontagora, Suleja, Zuba,
    Gwagwalada, Kuje, Bwari, Nyanya, Karu, Mararaba, Keffi, Akwanga, Shendam, Bukuru, Vom, Pankshin, Zaria,
    Kafanchan, Kagoro, Funtua, Malumfashi, Daura, Argungu, Yelwa, Zuru, Wawa, Borgu, Nguru, Gashua, Potiskum, Biu,
    Bama, Dikwa, Gwoza, Chibok, Mubi, Numan, Mumuye, Wukari, Takum, Gboko, Otukpo, Katsina Ala, Oturkpo, Idah,
    Okene, Kabba, Ankpa, Nsukka, Oji River, Onitsha, Nnewi, Aguleri, Ekwulobia, Okigwe, Orlu, Aba, Arochukwu,
    Ohafia, Afikpo, Ikom, Ogoja, Obudu, Eket, Oron, Ikot Ekpene, Bonny, Okrika, Degema, Brass, Nembe, Warri, Sapele,
    Ughelli, Agbor, Kwale, Burutu, Auchi, Ekpoma, Uromi, Irrua, Sabongida Ora, Owo, Ikare, Ondo, Okitipupa, Ikere,
    Ikole, Ijero, Otun, Bassa, Assakio, Assop Falls, Shika, Shagamu, Titi Road, Cuntada Close, Dikko Junction
  `),
  rivers: split(`
    River Niger, River Benue, Cross River, Anambra River, Imo River, Kwa Iboe, Qua Iboe, Ogun River, Osun River,
    Oshun, Sokoto River, Kaduna River, Gongola, Hadejia, Yobe River, Komadugu Gana, Katsina Ala River, Donga, Taraba
    River, Gurara, Oba, Ofiki, Asa, Awun, Moshi, Oyun, Ose, Owena, Siluko, Escravos, Forcados, Nun, Ramos, Dodo,
    Pennington, Brass, Bonny, New Calabar, Sombreiro, Andoni, Opobo, Kainji, Jebba, Shiroro, Zobe, Tiga Dam,
    Challawa, Lake Chad, Oguta Lake, Yankari, Wikki, Ikogosi, Erin Ijesa, Gurara Falls, Olumo Rock, Zuma Rock, Aso
    Rock, Idanre, Mambilla, Obudu, Chappal Waddi, Mandara, Shere Hills, Uranus, Titicaca, Titisee, Volga, Essequibo,
    Mississippi, Orinoco, Zambezi, Limpopo, Congo, Volta, Senegal, Gambia
  `),
  foods: split(`
    jollof rice, fried rice, ofada, ayamase, pounded yam, iyan, amala, ewedu, gbegiri, abula, eba, garri, gari,
    fufu, akpu, semo, semovita, tuwo shinkafa, tuwo masara, tuwo dawa, miyan kuka, miyan taushe, miyan kubewa,
    egusi, ogbono, okra, okro, edikang ikong, afang, banga, starch, usi, ofe owerri, ofe nsala, ofe onugbu, oha,
    ora, nsala, bitterleaf, efo riro, efo elegusi, gbure, ponmo, pomo, shaki, abodi, roundabout, cow leg, cow tail,
    cowfoot, isi ewu, nkwobi, asun, suya, kilishi, balangu, tsire, dambu nama, kpomo, ugba, abacha, okpa, moi moi,
    moin moin, akara, ogi, akamu, pap, koko, kunu, kunun zaki, kunun gyada, fura, fura da nono, nono, zobo,
    zoborodo, burukutu, pito, palm wine, ogogoro, emu, oguro, ukodo, pepper soup, point and kill, catfish, titus
    fish, sardine, stockfish, okporoko, panla, crayfish, periwinkle, isam, snail, igbin, dodo, boli, bole, plantain,
    kpekere, chin chin, puff puff, buns, meat pie, gala, egg roll, dundun, asaro, ikokore, ebiripo, ojojo, adalu,
    ewa agoyin, ewa aganyin, waina, masa, sinasir, alkubus, kuli kuli, dankwa, donkwa, goro, kola nut, orogbo,
    bitter kola, atare, agbalumo, udara, ube, pear, oka, agbado, cashew, mango, pawpaw, guava, cocktail, peacock,
    shiitake, shitake mushroom, cocoa, cockles, cockle, grapes, rapeseed oil, grapefruit, cassava, cumin, cucumber,
    asparagus, sausage, hot dog, passion fruit, molasses, bass, sea bass, crass, watercress, pasta, pistachio,
    nutmeg, brussels sprouts, hotpot, spotted dick pudding, shashlik, matzo balls
  `),
  yorubaNames: split(`
    Adebayo, Adewale, Adeola, Adekunle, Ademola, Adesina, Adeyemi, Ade, Ayodele, Ayo, Ayomide, Akin, Akinwale,
    Akintola, Akinola, Akinfenwa, Babatunde, Baba, Bolaji, Bola, Bolanle, Bukola, Bukky, Busola, Damilola, Dare,
    Dayo, Debo, Deji, Dele, Dotun, Ebun, Ekundayo, Fadekemi, Fagbemi, Fagbenle, Fagunwa, Fakorede, Faleke, Fashola,
    Fasasi, Fashanu, Femi, Folake, Folarin, Foluke, Funke, Funmilayo, Gbenga, Gbemisola, Gboyega, Idowu, Ife,
    Ifeoluwa, Ige, Iyabo, Jide, Jumoke, Kehinde, Kemi, Kike, Kikelomo, Kolade, Kola, Kolapo, Kole, Kolawole, Kunle,
    Lanre, Lekan, Moronke, Moronfolu, Morounke, Morenikeji, Modupe, Mojisola, Mosunmola, Niyi, Obafemi, Odunayo,
    Odunlade, Oduduwa, Odumosu, Odeyemi, Odetola, Odewale, Odegbami, Odemwingie, Ogunbanjo, Ogunode, Ogundipe,
    Ogunlesi, Okunola, Ola, Oladapo, Oladele, Oladipo, Olalekan, Olamide, Olanrewaju, Olatunji, Olawale, Olayinka,
    Olodumare, Oluremi, Oluwaseun, Oluwatobi, Omolara, Omotola, Omowunmi, Oni, Opeyemi, Oriola, Ore, Orekelewa,
    Osagie, Oshin, Oyebanji, Oyelowo, Oyin, Rotimi, Ronke, Sade, Segun, Seun, Shade, Shina, Shittu, Shitta, Shola,
    Simbo, Soji, Soyinka, Sunbo, Taiwo, Tayo, Temitope, Titi, Titilayo, Titilope, Tobi, Tokunbo, Tola, Toyin, Tunde,
    Wale, Wande, Yemi, Yewande, Yinka, Yomi, Mumuni, Semiu, Semilore, Assibi, Asake, Analiya
  `),
  igboNames: split(`
    Adaeze, Adanna, Amaka, Amara, Anayo, Arinze, Azubuike, Chiamaka, Chibuike, Chibuzo, Chidera, Chidi, Chidinma,
    Chiedu, Chigozie, Chijioke, Chika, Chike, Chikwe, Chima, Chimamanda, Chinasa, Chinedu, Chinelo, Chinenye,
    Chinonso, Chinua, Chinwe, Chioma, Chisom, Chizoba, Chuka, Chukwudi, Chukwuemeka, Chukwuma, Ebele, Ebere, Ebuka,
    Echezona, Ekene, Ekwueme, Emeka, Emenike, Ezinne, Ginika, Golibe, Ifeanyi, Ifechukwu, Ifeoma, Ijeoma, Ikechukwu,
    Ikedi, Ikenna, Ikpeazu, Iheanacho, Jachimike, Kachi, Kamsi, Kanayo, Kelechi, Kenechukwu, Kosi, Lotanna, Maduka,
    Mbadiwe, Munachi, Ndidi, Nkechi, Nkem, Nkiru, Nnamdi, Nneka, Nnenna, Nwankwo, Nwabueze, Nwosu, Nzeogwu, Obi,
    Obiageli, Obinna, Obiora, Odinaka, Odinchezo, Odumegwu, Ojukwu, Okafor, Okechukwu, Okeke, Okocha, Okonkwo,
    Okoro, Okoye, Okwudili, Olisa, Onuoha, Onyeka, Onyekachi, Onyema, Onyinye, Osita, Ozioma, Somto, Tobenna,
    Tochukwu, Uche, Uchechi, Udoka, Ugochi, Ugonna, Ugochukwu, Uju, Uzoamaka, Uzodinma, Uzoma, Zikora, Dickson,
    Nwadike, Dike, Dikeh, Anuli
  `),
  hausaNames: split(`
    Abba, Abdullahi, Abubakar, Adamu, Ahmadu, Aisha, Aishatu, Aliyu, Alhassan, Amina, Asabe, Audu, Auwal, Babangida,
    Balarabe, Bala, Balewa, Bashir, Bello, Binta, Bukar, Buhari, Danjuma, Danladi, Danlami, Dantata, Dangote,
    Dankwambo, Dikko, Fati, Fatima, Gambo, Garba, Goje, Habiba, Hadiza, Hajara, Halima, Haruna, Hassan, Hauwa,
    Ibrahim, Idris, Inuwa, Isa, Ishaku, Isiaka, Jamila, Jibrin, Jummai, Kabiru, Kande, Kashim, Kwankwaso, Ladi,
    Laraba, Lawal, Lami, Maikano, Maigari, Mairo, Mamman, Maryam, Mohammed, Muazu, Muhammadu, Musa, Mustapha,
    Nafisa, Nasir, Nuhu, Rabiu, Rakiya, Ramatu, Ribadu, Sabo, Sadiq, Safiya, Sale, Salihu, Salisu, Sani, Sanusi,
    Sarki, Shagari, Shehu, Shekarau, Suleiman, Tafawa, Talatu, Tambuwal, Tanko, Tijjani, Tukur, Umar, Umaru, Usman,
    Wada, Yakubu, Yaradua, Yar Adua, Yahaya, Yusuf, Zainab, Zubairu, Zulum, Shashi, Ɗanlami, Ɓala, Ƙasimu
  `),
  otherNames: split(`
    Dick Tiger, Dick, Dick Van Dyke, Moby Dick, Tom Dick and Harry, Philip K. Dick, Dickens, Dickinson, Benedick,
    Hitchcock, Babcock, Hancock, Alcock, Woodcock, Cockburn, Cocker, Cassandra, Cass, Bass, Bassey, Shirley Bassey,
    Ekpo, Ekpenyong, Effiong, Efiok, Etim, Essien, Asuquo, Okon, Udo, Udoh, Udom, Akpabio, Akpan, Ebong, Inyang,
    Itam, Nsikak, Uduak, Osaze, Osagie, Osas, Osaretin, Osariemen, Ehi, Ehigie, Efe, Efosa, Eghosa, Omoregie,
    Omoruyi, Imasuen, Igbinedion, Idahosa, Oghene, Oghenekaro, Tega, Ese, Eseoghene, Ufuoma, Voke, Onome, Ejiro,
    Akpororo, Ochuko, Terver, Terkula, Terna, Tersoo, Aondo, Ortom, Akume, Suswam, Ameh, Agbo, Oche, Ochefu, Ogbu,
    Ojo, Audu, Ode Agbo, Peter Odemwingie, Boma, Tonye, Dokubo, Ibinabo, Soboma, Sekibo, Kalabari, Ateke, Timi,
    Preye, Ebiere, Ebikabowei, Seriake, Timipre, Goodluck, Patience, Blessing, Godswill, Godspower, Goodness,
    Sunday, Monday, Friday, Innocent, Precious, Gift, Marvellous, Wisdom, Titus, Tito, Titania, Analise, Annalisa,
    Lana, Juanita, Janus, Manus, Magnus, Cummings, Cumberland, Cunningham, Scott, Shitara, Yoshito, Akshita, Ishita,
    Nishita, Harshit, Rakshit, Wang, Wankowski, Sexton, Saxton, Montague, Penistone, Penn, Regina, Virginia,
    Bastian, Sebastian, Bastille, Kuntz, Kunta Kinte, Focke, Fokker, Fuchs, Fukuda, Fukuyama, Fulham, Puccini,
    Pissarro, Mussolini, Titian, Assad, Assange, Hassan, Lasse, Sass, Vass, Dyke, Coon, Peacock, Pratt, Negroni,
    Montenegro, Rio Negro, Nigel, Niger Tornadoes, Niger Insurance, Burna Boy, Wizkid, Davido, Olamide, Tiwa Savage,
    2Baba, 9ice, P-Square, Ckay, Rema, Tems, Asake, Shallipopi, Portable, Odumodublvck, Psquare, D'banj, Mohbad,
    Seyi Vibez, Falz, Mr Macaroni, Broda Shaggi, Sabinus, Okocha, Kanu, Osimhen, Lookman, Oshoala, Iwobi, Ndidi,
    Chukwueze, Super Eagles, Arsenal, Arsene, Scunthorpe United, West Ham, Tottenham, Crystal Palace, Real Madrid,
    Bayer, Schalke, Wankdorf
  `),
  placesElsewhere: split(`
    Scunthorpe, Penistone, Essex, Sussex, Middlesex, Wessex, Lightwater, Clitheroe, Cockermouth, Cockfosters,
    Shitterton, Sandwich, Arsenal, Horniman, Titchfield, Titanic, Assam, Assisi, Assyria, Cassiopeia, Massachusetts,
    Passau, Nassau, Bassano, Alsace, Niger, Niamey, Nigerian, Montenegro, Negril, Phuket, Uranus, Titan, Dickinson,
    Cumbria, Cumberland, Scotland, Bitche, Kobe, Osaka, Fukuoka, Fukushima, Shizuoka, Ashita, Coventry, Canal
    Street, Panama Canal, Suez Canal, Analucia, Manus Island, Janeiro, Cockpit Country, Rapid City, Rapallo,
    Grapevine, Sexbierum, Hore Abbey, Shoreham, Slough, Pussyfoot, Twatt, Orgiva, Corgi, Pornic, Pornichet, Odessa,
    Oder, Oderberg, Idiazabal, Retardant
  `),
  english: split(`
    class, classic, classical, pass, password, passport, passage, passenger, passion, assassin, assassinate,
    assault, assemble, assembly, assent, assert, assertion, assess, assessment, asset, assets, assign, assignment,
    assimilate, assist, assistant, associate, association, assorted, assort, assume, assumption, assure, assurance,
    assay, embassy, ambassador, harass, embarrass, compass, bypass, trespass, grass, glass, brass, mass, massive,
    massage, message, bass, lass, gas, as, ash, ask, asp, analysis, analyst, analyze, analogue, analogy, canal,
    banal, final, arsenal, arsenic, arson, parse, sparse, coarse, hoarse, horse, nurse, cock, cocky, cockerel,
    cockpit, cocktail, cockroach, cockatoo, peacock, weathercock, shuttlecock, stopcock, hancock, cocoon, raccoon,
    tycoon, coon cat, cocoa, dock, sock, rock, click, thick, stick, trick, brick, prickle, prickly, prick your
    finger, predict, prediction, dictionary, dictate, dictator, verdict, addict, edict, dickens, medic, radical, tit
    for tat, tit, tits and robins, title, titled, titan, titanium, titillate, petition, competition, constitution,
    institute, restitution, substitute, attitude, gratitude, latitude, altitude, appetite, quantity, entity,
    identity, activity, shift, shirt, ship, shin, sheet, short, shut, shot, shoot, whit, white, hit, sit, spit,
    split, slit, slot, slate, slush, sluice, result, consult, insult, adult, cult, culture, cut, cute, count,
    country, county, hunt, punt, bunt, runt, blunt, grunt, account, accounting, discount, encounter, fountain,
    cucumber, cum laude, cumulative, accumulate, document, circumstance, circumference, incumbent, succumb,
    encumber, scum, drum, sex and age, sextant, sextet, sexton, unisex, asexual, sussex, therapist, therapy, grape,
    drape, scrape, rapid, rapidly, rapport, wrap, wrapped, trapped, rapper, rapping, rapped, skyscraper, paper, rap,
    penalty, peninsula, pencil, penny, pension, open, pen is here, happen, pianist, penitent, genius, venus, genus,
    bonus, minus, menus, manual, annual, annals, annus mirabilis, janitor, uranus, tetanus, cosmos, fig, flag, snag,
    nag, nagging, nigh, night, niggle, niggling, niggardly, snigger, sniggered, trigger, bigger, digger, ginger,
    finger, linger, singer, negro spiritual, negotiate, negative, negligent, integrate, hoe, hoeing, shoe, whole,
    hole, who, where, wholesome, shore, ashore, chore, more, moral, morning, morose, oxymoron, boron, moroccan,
    baron, barren, bast, baste, bastion, bustard, custard, mustard, dastardly, bitumen, bite, batch, botch, butch,
    butcher, ditch, pitch, witch, switch, stitch, glitch, rich, which, bench, beach, beech, breach, itch, itchy, ode
    to joy, odes, code, coder, decode, mode, model, modern, node, rode, erode, explode, episode, period, odour,
    custody, body, melody, parody, lode, swank, swanky, crank, plank, drank, bank, blank, thank, flank, pussycat,
    pussyfoot, puss in boots, pus, push, bush, bushy, busy, bossy, fussy, hussar, posse, possess, poser, piston,
    pistol, pizza, piece, peace, pea, pissed off with waiting, mississippi, dismiss, submission, mission, missing,
    kissing, hissing, missile, mumble, mum, mummy, mummies, mumps, museum, muse, mug, mule, retardant, retardation,
    regard, retail, retain, retire, reward, hazard, lizard, wizard, idiom, idiosyncrasy, ideal, idea, idol, idle,
    turn, turf, turkey, saturday, sturdy, absurd, twaddle, tweet, twist, twit, booby, booby trap, boom, book, boot,
    booth, babble, bubble, bomb, bob, pornichet, corn, born, pore, orange, organ, organs, organise, organism,
    forgiving, corgi, hooker in rugby, hook, hooked, hookah, looker, cooker, poker, jerk, jerkin, jerky, fuzz, funk,
    funky, fund, fan, fin, fork, folk, flock, frock, truck, struck, stuck, luck, lucky, duck, ducks, buck, bucket,
    suck, sucker, suction, pluck, puck, tuck, chuck, yuck, muck, kung fu, tofu, snafu, dyke, dike, vandyke, chink in
    the armour, chink, spic and span, scat singing, scatter, scattered, plastic, elastic, drastic, fantastic, hike,
    bike, like, spike, strike, semi, seminar, seven, semester, basement, cement, cementing, dunk, dance, dune, duck,
    dense, nit, nitrogen, unit, community, cretaceous, crete, create, secret, concrete, discrete, harlequin,
    charlotte, Charlton, scarlet, beast, best, feast, blow, job, blow up, job description, push it, what's hit, is
    hit, this hit song, mishit, who re you, pen is mightier, therapist, mass hole, dumb assumption
  `),
  chessAndCheckers: split(`
    check, checkmate, mate, fool's mate, scholar's mate, stalemate, castle, castling, king side, queen side, bishop,
    knight, rook, pawn, pawns, promote, promotion, en passant, passant, passed pawn, fork, pin, skewer, discovered
    check, double check, sacrifice, sac, exchange, gambit, Queen's Gambit, King's Indian, Sicilian, Najdorf, Dragon,
    Caro-Kann, French, Pirc, Ruy Lopez, Giuoco Piano, Fried Liver, Scotch, Vienna, Dutch, Benoni, Benko, Grob, Bird,
    Cochrane, Evans, Traxler, Budapest, Nimzo, Grunfeld, Reti, Catalan, Slav, Petroff, Philidor, Elephant, Latvian,
    Damiano, Englund, zugzwang, zwischenzug, fianchetto, tempo, blunder, inaccuracy, draw, draws, resign, takeback,
    rematch, flag, flagged, time trouble, increment, crown, crowned, kinged, king me, huff, huffing, jump, double
    jump, triple, capture, forced capture, flying king, opposition, bridge, dog hole, dyke opening, breeches, sock
    it, shot, in and out, tit, cross, single corner, a5, b4, f4g5, Nf3, Qxf7, e4, exd5, O-O, 0-0-0, A55 phone, S5,
    f4 g5, 4a, 1d4
  `),
  pidgin: split(`
    how far, how you dey, I dey, I dey kampe, abeg, abi, shey, sha, sef, wetin, wetin dey, wetin dey happen, wahala,
    wahala dey, no wahala, gbege, kasala, katakata, palava, yawa, wahala no dey finish, waka come, waka waka,
    waka jeje, I waka well well, comot, commot, comot for road, dem, dey, deh, una, una well done, unu, oga, oga at
    the top, madam, chairman, bros, bro, broda, sista, sisi, sisi eko, aunty, uncle, pikin, small pikin, pickin,
    oyibo, oyinbo, omo, omo see, omo mehn, mehn, chai, chei, chineke, ewo, ewoo, haba, kai, kai oga, na wa, na wa o,
    na so, na lie, na true, e be like say, e go be, e choke, e sweet, sweet die, die hard, I wan die for laugh,
    laugh wan kill me, chop, chop life, chop money, belle, belle full, belleful, hungry dey catch me, hunger, kpai,
    kpatakpata, kpeke, kpele, kpalongo, japa, japada, sapa, sapa nice one, jara, jand, yanga, shakara, effizy, swag,
    gbedu, gbas gbos, gbam, gbosa, gbagaun, gbege, gist, gbeborun, amebo, tatafo, jagajaga, jaguda game, jaga,
    agbero, area boy, alaye, alaye how far, baddest, oshey, tule, tuale, twale, wehdon, weldone, thunder dey, rain
    dey fall, NEPA, light, up NEPA, gen, I better pass my neighbour, okada, keke, keke napep, danfo, molue, maruwa,
    BRT, go slow, hold up, fuel, shege dey, I see shege, T-pain, e shock you, shine your eye, shine ya eye, sabi,
    sabi boy, I no sabi, dash me, dash, bobo, bobo fine, kolo, I go kolo, craze, you dey craze, mad o, you no dey
    try, you try, no be juju be that, jazz, ogbonge, original, tokunbo, okrika, bend down select, mama put, bukka,
    buka, joint, ogogoro, paraga, sepe, kolanut, ojoro, you dey do ojoro, wuruwuru, wayo, yahoo, maga, scope, runs,
    settle, egunje, kudi, ego, owo, moni, cedis, naira, kobo
  `),
  yoruba: split(`
    bawo ni, e kaaro, e kaasan, e kaale, e ku ise, e ku ojo meta, e se, o se, o se gan, o dabo, odabo, o daro, o
    daa, o da, odun, odun tuntun, e ku odun, ojo, ojo ibi, oja, owo, omi, ile, ilu, iwe, ise, oko, oko mi, iyawo,
    omo, omo mi, omo naija, egbon, aburo, baba, baba mi, iya, iya mi, iya agba, oba, oba o, ade, ori, ori mi, oju,
    imu, eti, enu, ese, owo, inu, okan, emi, emi ni, iwo, awa, eyin, won, ti, ni, ki, ko, si, sise, sun, jeun, mu,
    wa, lo, lo si, wo, ri, gbo, mo, mo dupe, mo fe, mo ti de, mo nife re, ore, ore mi, dupe, oluwa, olorun, olorun a
    so e, jesu, ire, ayo, alafia, ogo, ola, ife, iye, iku, aso, bata, fila, gele, agbada, buba, sokoto, iro, ipele,
    adire, aso oke, isu, ewa, eran, eja, epo, iyo, ata, alubosa, obe, akara, ogede, ope, agbon, osan, ibepe, maalu,
    ewure, aguntan, adie, aja, ologbo, ekute, eye, erin, kiniun, ekun, ejo, obo, ooni, alangba, odo, odo osun, okun,
    igbo, oke, ona, afara, oju ona, moto, reluwe, ere, ere ayo, ayo olopon, bolu, agbaboolu, asa, ede, itan, owe,
    orin, ijo, ilu, gangan, sekere, dundun, ole o, o le, o le gan, ole, o ti le ju, okunrin, obinrin, agba, ewe,
    oyinbo, oyinbo pepper, jare, jowo, e jowo, joo, pele, e pele, ma binu, se daadaa ni, daadaa, ese, ese gan,
    kilode, kilonsele, kini, tani, nibo, nigbawo, melo, elo ni, ọ̀rẹ́ mi ni, Ṣé o wà, ẹ káàárọ̀, ẹ ṣé, mo dúpẹ́, ọmọ
    dáadáa, Ọlọ́run, ìyá, bàbá, ẹ̀kọ́, Ọ̀ṣun, Èkó
  `),
  igbo: split(`
    kedu, ndewo, nnoo, daalu, imela, biko, ka chi fo, ututu oma, ehihie oma, mgbede oma, chi, chukwu, chineke, nna,
    nne, nna anyi, nne m, nwanne, nwanne m, nwa, nwa m, nwoke, nwaanyi, nwata, umu, umu nne, umuaka, okorobia,
    agbogho, eze, igwe, obi, obi m, ulo, uno, ezi, ama, ahia, afo, nkwo, eke, orie, ugbo, oru, ego, akwukwo, akpa,
    akwa, anu, anu ezi, azu, ji, ede, akpu, ose, nnu, mmiri, mmanu, mmanya, nri, ofe, ukwa, ube, udara, oroma, akwu,
    oka, osikapa, agwa, okwuru, onugbu, uziza, utazi, ehuru, uda, ogiri, nkita, nwamba, ewu na okuku, okuku, atulu,
    efi, ehi, inyinya, agu, odum, enyi, agwo, enwe, mbe, mbeku, ugo, egbe, nnunu, osisi, ahihia, ofia, ohia, mgbede,
    abali, ututu, taa, echi, unyaahu, onwa, afo ohuru, izu, ubochi, oge, isi, anya, imi, onu, nti, aka, ukwu, afo,
    azu, olu, obi, obara, okpukpu, mma, ojoo, oma, ukwu, nta, ogologo, mkpumkpu, ocha, oji, obara obara, uhie, ndu,
    onwu, udo, ihunanya, nsogbu, eziokwu, asi, ike, ike kwe, oso, egwu, egwuregwu, egwu na uri, bia, bia ebe a, gaa,
    puo, rie, nuo, lee, gee nti, kwuo, gwa m, si, mara, ma, huru n'anya, afuru m gi n'anya, i mere agaa, i meela, o
    di mma, odi mma, gini, onye, ebee, mgbe ole, ole, ego ole, kedu ka i mere, aha m bu, onye nkuzi, onye isi, onye
    eze, onye ocha, onye igbo, dibia, ozo, ichie, lolo, odogwu, ogbuefi, nze na ozo, ikenga, ofo, mmanwu, iri ji,
    igba nkwu, anyi, unu, ha, ya, gi, mu, m na gi, ndi, ndi be anyi, ndi igbo, ka o di, ka anyi gaa, gwuo ya, mmeri,
    o mmeri, ụtụtụ ọma, Ị bụ onye, ọ dị mma, ndị Igbo, ṅụọ mmiri
  `),
  hausa: split(`
    sannu, sannu da zuwa, sannunku, ina kwana, ina wuni, ina yini, barka, barka da safiya, barka da rana, barka da
    sallah, yaya dai, yaya gida, yaya aiki, lafiya, lafiya lau, nagode, na gode, mun gode, madalla, toh, to madalla,
    haba, kai, wallahi, walahi, insha Allah, Allah ya kiyaye, sai an jima, sai gobe, sai da safe, yau, jiya, gobe,
    jibi, shekara, wata, rana, dare, safiya, yamma, mutum, mutane, yaro, yarinya, yara, mata, miji, uwa, uba, uwata,
    ubana, baba, mama, kaka, kawu, goggo, dan uwa, yar uwa, aboki, abokina, abokai, sarki, sarauniya, waziri,
    galadima, madaki, malam, mallam, alhaji, hajiya, gida, daki, kasuwa, gari, gona, hanya, mota, jirgi, keke, ruwa,
    abinci, nama, kifi, shinkafa, dawa, gero, masara, wake, gyada, doya, rogo, albasa, tumatir, tattasai, barkono,
    gishiri, mai, man ja, madara, nono, zuma, sukari, shayi, lemu, mangwaro, ayaba, kankana, goro, saniya, sa,
    shanu, rago, tunkiya, akuya, kaza, zakara, kare, kyanwa, doki, jaki, rakumi, zaki, giwa, kura, kura da biri,
    biri, maciji, tsuntsu, itace, ciyawa, daji, dutse, kogi, teku, sama, kasa, wuta, iska, ruwan sama, hadari, kai
    ne, kai da ni, ni, kai, ke, shi, ita, mu, ku, su, wane, wa, me, mene, yaushe, ina, nawa, yaya, zo, tafi, zauna,
    tashi, ci, sha, gani, ji, san, so, ina son ka, ina son ki, ba ni, karɓa, ɗauki, ƙasa, ƴar uwa, ɗan uwa, ƙwarai
    da gaske, wasa, wasan dara, dara, nasara, na ci nasara, ka ci, mun tashi canjaras, yi sauri, a hankali, kyau, da
    kyau, mai kyau, babba, karami, sabo, tsoho, fari, baki, ja, kore, rawaya, shudi, daya, biyu, uku, hudu, biyar,
    shida, bakwai, takwas, tara, goma, ashirin, dari, dubu, kudi, naira, arziki, lada, aiki, makaranta, littafi,
    masallaci, coci, addini, gaskiya, karya, hankali, zuciya, ciwo, magani, likita, asibiti
  `),
};
