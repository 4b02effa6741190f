"""Recipes for speechbrain: blocks and models of speech, losses, and processing of features."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from speechbrain.lobes.models import CRDNN, ECAPA_TDNN, ContextNet, ESPnetVGG, Xvector, conv_tasnet, dual_path
from speechbrain.lobes.models.convolution import ConvolutionFrontEnd
from speechbrain.lobes.models.transformer.Conformer import ConformerEncoder
from speechbrain.lobes.models.transformer.TransformerASR import TransformerASR
from speechbrain.lobes.models.transformer.TransformerLM import TransformerLM
from speechbrain.nnet import CNN, RNN, attention, losses, pooling, quantisers
from speechbrain.nnet.complex_networks.c_RNN import CLSTM
from speechbrain.nnet.quaternion_networks.q_linear import QLinear
from speechbrain.processing import features, multi_mic
from torch import nn

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make, shaped, tokens

PACKAGE = "speechbrain"


def _features(model: Callable[..., Any], width: int = 16) -> Built:
    return shaped(model, ((2, 20, width), (3, 30, width)))


def _loss(loss: Callable[..., Any]) -> Built:
    def arguments(batch: int, frames: int) -> tuple[Any, ...]:
        return (
            torch.randn(batch, frames, 5).log_softmax(-1),
            torch.randint(0, 5, (batch, frames)),
            torch.rand(batch) * 0.5 + 0.5,
        )

    return built(loss, arguments, (2, 8), (3, 12))


def _ctc(batch: int, frames: int) -> tuple[Any, ...]:
    return (
        torch.randn(batch, frames, 5).log_softmax(-1),
        torch.randint(1, 5, (batch, 3)),
        torch.ones(batch),
        torch.ones(batch),
        0,
    )


def _seq2seq() -> Built:
    model = TransformerASR(
        input_size=16,
        tgt_vocab=20,
        d_model=16,
        nhead=2,
        num_encoder_layers=1,
        num_decoder_layers=1,
        d_ffn=16,
        max_length=64,
    )
    return built(
        model, lambda b, t: (torch.randn(b, t, 16), torch.randint(1, 20, (b, 5)), torch.ones(b)), (2, 20), (3, 30)
    )


def _attention(model: nn.Module) -> Built:
    return built(
        model,
        lambda b, t: (torch.randn(b, t, 8), torch.full((b,), t), torch.randn(b, 8)),
        (2, 10),
        (2, 10),
        trains=False,
    )


RECIPES: Recipes = {
    "CRDNN": lambda: _features(
        CRDNN.CRDNN(
            input_shape=[None, None, 16],
            cnn_blocks=1,
            cnn_channels=[4],
            rnn_layers=1,
            rnn_neurons=8,
            dnn_blocks=1,
            dnn_neurons=8,
            time_pooling=True,
        )
    ),
    "ECAPA_TDNN": lambda: _features(
        ECAPA_TDNN.ECAPA_TDNN(
            16,
            lin_neurons=8,
            channels=[8, 8, 8, 8, 24],
            kernel_sizes=[5, 3, 3, 3, 1],
            dilations=[1, 2, 3, 4, 1],
            attention_channels=8,
            res2net_scale=2,
            se_channels=8,
        )
    ),
    "ContextNet": lambda: _features(
        ContextNet.ContextNet(
            input_shape=[None, None, 16],
            out_channels=8,
            conv_channels=[8] * 2,
            kernel_size=3,
            strides=[1, 2],
            num_blocks=2,
            num_layers=1,
            residuals=[True, True],
        )
    ),
    "ESPnetVGG": lambda: _features(
        ESPnetVGG.ESPnetVGG(
            input_shape=[None, None, 16], rnn_layers=1, rnn_neurons=8, projection_neurons=8, cnn_channels=[4, 4]
        )
    ),
    "Xvector": lambda: _features(
        Xvector.Xvector(
            in_channels=16,
            tdnn_blocks=2,
            tdnn_channels=[8, 8],
            tdnn_kernel_sizes=[3, 1],
            tdnn_dilations=[1, 1],
            lin_neurons=8,
        )
    ),
    "ConvTasNet_MaskNet": lambda: shaped(conv_tasnet.MaskNet(8, 8, 8, 3, 1, 1, C=2), ((2, 8, 20), (3, 8, 30))),
    "Dual_Path_Model": lambda: shaped(
        dual_path.Dual_Path_Model(
            8,
            8,
            intra_model=dual_path.SBTransformerBlock(1, 8, 2),
            inter_model=dual_path.SBTransformerBlock(1, 8, 2),
            num_layers=1,
            norm="ln",
            K=10,
            num_spks=2,
            skip_around_intra=True,
        ),
        ((2, 8, 50), (3, 8, 70)),
    ),
    "ConformerEncoder": lambda: built(
        ConformerEncoder(num_layers=1, d_model=16, d_ffn=16, nhead=2, attention_type="RelPosMHAXL", kernel_size=5),
        lambda b, t: {"src": torch.randn(b, t, 16), "pos_embs": torch.randn(1, 2 * t - 1, 16)},
        (2, 12),
        (3, 16),
    ),
    "TransformerASR": _seq2seq,
    "TransformerLM": lambda: tokens(
        TransformerLM(20, d_model=16, nhead=2, num_encoder_layers=1, num_decoder_layers=0, d_ffn=16),
        (2, 12),
        (3, 16),
        20,
    ),
    "ConvolutionFrontEnd": lambda: _features(
        ConvolutionFrontEnd(
            (None, None, 16),
            num_blocks=2,
            num_layers_per_block=1,
            out_channels=[4, 4],
            kernel_sizes=[3, 3],
            strides=[1, 2],
            residuals=[True, False],
        )
    ),
    "CNN.SincConv": lambda: shaped(
        CNN.SincConv(input_shape=(None, 400), out_channels=4, kernel_size=11), ((2, 400), (3, 600))
    ),
    "CNN.Conv2d_same": lambda: shaped(
        CNN.Conv2d(input_shape=(None, 10, 16, 4), out_channels=4, kernel_size=(3, 3), padding="same"),
        ((2, 10, 16, 4), (3, 14, 16, 4)),
    ),
    "RNN.LiGRU": lambda: _features(RNN.LiGRU(hidden_size=8, input_shape=[2, 20, 16], bidirectional=True)),
    "RNN.QuasiRNN": lambda: _features(RNN.QuasiRNN(hidden_size=8, input_shape=[2, 20, 16])),
    "RNN.LSTM_lengths": lambda: built(
        RNN.LSTM(hidden_size=8, input_shape=[2, 20, 16]),
        lambda b, t: {"x": torch.randn(b, t, 16), "lengths": torch.linspace(0.5, 1, b)},
        (2, 20),
        (3, 30),
    ),
    "attention.ContentBasedAttention": lambda: _attention(attention.ContentBasedAttention(8, 8, 8, 8)),
    "attention.LocationAwareAttention": lambda: _attention(attention.LocationAwareAttention(8, 8, 8, 8, 4, 3)),
    "attention.RelPosMHAXL": lambda: built(
        attention.RelPosMHAXL(16, 2),
        lambda b, t: (
            torch.randn(b, t, 16),
            torch.randn(b, t, 16),
            torch.randn(b, t, 16),
            torch.randn(1, 2 * t - 1, 16),
        ),
        (2, 12),
        (3, 16),
    ),
    "complex.CLSTM": lambda: _features(CLSTM(hidden_size=8, input_shape=[2, 20, 16])),
    "quaternion.QLinear": lambda: _features(QLinear(8, input_shape=[2, 20, 16])),
    "losses.nll_loss": lambda: _loss(losses.nll_loss),
    "losses.kldiv_loss": lambda: _loss(losses.kldiv_loss),
    "losses.ctc_loss": lambda: built(losses.ctc_loss, _ctc, (2, 12), (3, 16)),
    "losses.get_si_snr_with_pitwrapper": lambda: shaped(
        losses.get_si_snr_with_pitwrapper, ((2, 50, 2), (3, 70, 2)), ((2, 50, 2), (3, 70, 2))
    ),
    "losses.bce_loss": lambda: built(
        losses.bce_loss, lambda b, t: (torch.randn(b, t), torch.randint(0, 2, (b, t)), torch.ones(b)), (2, 8), (3, 12)
    ),
    "pooling.StatisticsPooling": lambda: built(
        pooling.StatisticsPooling(), lambda b, t: (torch.randn(b, t, 16), torch.linspace(0.5, 1, b)), (2, 20), (3, 30)
    ),
    "quantisers.GumbelVectorQuantizer": lambda: _features(
        quantisers.GumbelVectorQuantizer(16, 8, (2.0, 0.25, 0.9), 2, 8)
    ),
    "features.STFT": lambda: built(features.STFT(8000), lambda b, t: (torch.randn(b, t),), (2, 800), (3, 1200)),
    "features.InputNormalization": lambda: built(
        features.InputNormalization(norm_type="sentence"),
        lambda b, t: (torch.randn(b, t, 16), torch.ones(b)),
        (2, 20),
        (3, 30),
    ),
    "multi_mic.Covariance": lambda: built(
        multi_mic.Covariance(), lambda b, t: (torch.randn(b, t, 9, 2, 3),), (1, 4), (2, 6)
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
